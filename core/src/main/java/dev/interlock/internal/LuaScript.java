// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One Lua file with its checked header. Immutable; loaded once per class that uses it.
 *
 * @param name name for messages and metrics, for example {@code pool/issue}
 * @param source the source as sent to Redis
 * @param sha1 the digest Redis knows it by, 40 hex digits
 * @param function the name of its function, and of the library that holds nothing else; made of its name, version and content
 * @param header what its head says
 * @param own whether it is one of Interlock's own
 */
public record LuaScript(String name, String source, String sha1, String function, ScriptHeader header, boolean own) {
    /** First part of the names of all functions. */
    public static final String FUNCTION_PREFIX = "interlock_";

    private static final Pattern NO_NAME = Pattern.compile("[^A-Za-z0-9_]");
    private static final int DIGEST_DIGITS = 8;

    /**
     * Makes a script from its source.
     *
     * @param name name of the script
     * @param source the source
     * @return the script
     * @throws IllegalArgumentException if its header is incomplete
     */
    public static LuaScript of(String name, String source) {
        return make(name, source, false);
    }

    /**
     * Loads one of Interlock's own scripts from the folder of its feature.
     *
     * @param owner a class of the feature
     * @param verb file name without {@code .lua}
     * @return the script
     */
    public static LuaScript own(Class<?> owner, String verb) {
        String feature = owner.getPackageName().substring(owner.getPackageName().lastIndexOf('.') + 1);
        try (InputStream in = owner.getResourceAsStream(verb + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("the script " + feature + "/" + verb + ".lua is missing from the jar");
            }
            return make(feature + "/" + verb, new String(in.readAllBytes(), StandardCharsets.UTF_8), true);
        } catch (IOException e) {
            throw new UncheckedIOException("the script " + feature + "/" + verb + ".lua cannot be read", e);
        }
    }

    /**
     * The source below the header.
     *
     * @return the code, with its comments
     */
    public String body() {
        int start = 0;
        while (source.startsWith("#!", start) || source.startsWith("--", start)) {
            start = source.indexOf('\n', start) + 1;
        }
        return source.substring(start);
    }

    /**
     * The same script with code put between its header and its body, for scripts that share parts.
     *
     * @param suffix what tells it from others with the same header
     * @param prelude the code
     * @return the script, named {@code name+suffix}
     */
    public LuaScript with(String suffix, String prelude) {
        String head = source.substring(0, source.length() - body().length());
        return make(name + '+' + suffix, head + prelude + body(), own);
    }

    /**
     * The script as a function library. The body is the same, on the same lines, so that errors name the same line.
     *
     * @return what FUNCTION LOAD takes
     */
    public String library() {
        String flags = header.flags().stream().map(flag -> "'" + flag + "'").collect(Collectors.joining(","));
        int secondLine = source.indexOf('\n') + 1;
        return "#!lua name=" + function + "\nredis.register_function{function_name='" + function + "',flags={" + flags
                + "},callback=function(KEYS,ARGV) " + source.substring(secondLine) + "\nend}\n";
    }

    private static LuaScript make(String name, String source, boolean own) {
        ScriptHeader header = ScriptHeader.parse(name, source);
        String sha1 = sha1(source);
        String function = family(name) + 'v' + header.version() + '_' + sha1.substring(0, DIGEST_DIGITS);
        return new LuaScript(name, source, sha1, function, header, own);
    }

    /**
     * What the names of a script's functions begin with, whatever their version.
     *
     * @return the beginning
     */
    public String family() {
        return family(name);
    }

    private static String family(String name) {
        return FUNCTION_PREFIX + NO_NAME.matcher(name).replaceAll("_") + '_';
    }

    private static String sha1(String source) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
