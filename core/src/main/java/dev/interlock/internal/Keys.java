// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The one place that builds Redis keys: {@code <prefix>:<primitive>:{<tag>}[:part[:item]]}. The user's text goes into the
 * hash tag, so all keys of one name share a slot; braces and {@code %} in it are percent-encoded, so a name can neither
 * choose nor split a slot. In an item the colon is encoded too. So two different names never share a key, and no name
 * collides with a suffix key of another.
 */
public final class Keys {
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");

    private final String prefix;

    /**
     * Creates keys below a prefix.
     *
     * @param prefix 1 to 64 letters, digits and the signs {@code _ . : -}
     * @throws IllegalArgumentException if the prefix holds anything else
     */
    public Keys(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "keyPrefix must be 1 to 64 letters, digits and _ . : - but is " + Names.echo(prefix));
        }
        this.prefix = prefix;
    }

    /**
     * What all keys begin with.
     *
     * @return the prefix, without the colon after it
     */
    public String prefix() {
        return prefix;
    }

    /**
     * Key of a name itself.
     *
     * @param primitive which kind, for example {@code stock}
     * @param name the user's text
     * @return the key
     */
    public byte[] of(String primitive, String name) {
        return bytes(base(primitive, name));
    }

    /**
     * Key of a part of a name.
     *
     * @param primitive which kind
     * @param name the user's text
     * @param part which part: a fixed word, not the user's text
     * @return the key
     */
    public byte[] part(String primitive, String name, String part) {
        return bytes(base(primitive, name) + ':' + part);
    }

    /**
     * Key of one item of a part.
     *
     * @param primitive which kind
     * @param name the user's text
     * @param part which part
     * @param item the user's text that tells items of the part apart
     * @return the key
     */
    public byte[] item(String primitive, String name, String part, String item) {
        return bytes(base(primitive, name) + ':' + part + ':' + encode(item, true));
    }

    /**
     * Key of a part of what an owner keeps about a name. Owner and name share the hash tag, so the names of one owner
     * spread over all slots.
     *
     * @param primitive which kind
     * @param owner the user's text for the owner
     * @param name the user's text
     * @param part which part: a fixed word, not the user's text
     * @return the key
     */
    public byte[] part(String primitive, String owner, String name, String part) {
        return bytes(prefix + ':' + primitive + ":{" + encode(owner, true) + ':' + encode(name, false) + "}:" + part);
    }

    /**
     * Pattern of SCAN for the keys of all names of a primitive.
     *
     * @param primitive which kind
     * @param part which part, or empty for the keys of the names themselves
     * @return the pattern
     */
    public String pattern(String primitive, String part) {
        return prefix + ':' + primitive + ":{*" + end(part);
    }

    /**
     * The name of a key that {@link #of} or {@link #part(String, String, String)} built.
     *
     * @param primitive which kind
     * @param part which part, or empty for the key of the name itself
     * @param key the key
     * @return the user's text, or empty if it is no such key
     */
    public Optional<String> nameOf(String primitive, String part, byte[] key) {
        String text = new String(key, StandardCharsets.UTF_8);
        String start = prefix + ':' + primitive + ":{";
        String end = end(part);
        int ends = text.length() - end.length();
        if (!text.startsWith(start) || !text.endsWith(end) || text.indexOf('}') != ends) {
            return Optional.empty();
        }
        String encoded = text.substring(start.length(), ends);
        return Optional.of(encoded.replace("%7B", "{").replace("%7D", "}").replace("%25", "%"));
    }

    private static String end(String part) {
        return part.isEmpty() ? "}" : "}:" + part;
    }

    private String base(String primitive, String name) {
        return prefix + ':' + primitive + ":{" + encode(name, false) + '}';
    }

    private static String encode(String text, boolean colon) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean escape = c == '{' || c == '}' || c == '%' || (colon && c == ':');
            if (escape && out == null) {
                out = new StringBuilder(text.length() + 8).append(text, 0, i);
            }
            if (out != null) {
                out.append(escape ? "%" + Integer.toHexString(c).toUpperCase(Locale.ROOT) : String.valueOf(c));
            }
        }
        return out == null ? text : out.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
