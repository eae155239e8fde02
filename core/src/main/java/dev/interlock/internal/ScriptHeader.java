// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a Lua file: a {@code #!lua} line with flags, then comment lines with a summary, {@code KEYS[1]} and
 * {@code ARGV[1]} descriptions, {@code Returns}, {@code Cost} and optionally {@code Retry} and {@code Version}.
 *
 * @param flags flags of the {@code #!lua} line
 * @param summary what the script does
 * @param keys described keys, as written between the brackets: {@code "1"}, {@code "2.."}
 * @param args described arguments, likewise
 * @param retrySafe whether running it twice with the same arguments has one effect and one answer
 * @param version number of the script's version, 1 unless it says so
 */
public record ScriptHeader(
        Set<String> flags, String summary, List<String> keys, List<String> args, boolean retrySafe, int version) {
    private static final Pattern SHEBANG = Pattern.compile("#!lua(?:\\s+flags=(\\S+))?\\s*");
    private static final Pattern PARAMETER = Pattern.compile("(KEYS|ARGV)\\[(\\d+(?:\\.\\.)?)]\\s+(\\S.*)");
    private static final Pattern FIELD = Pattern.compile("(Returns|Cost|Retry|Version)\\s+(\\S.*)");

    private static final Pattern VERSION = Pattern.compile("[1-9]\\d{0,5}");

    /** Copies what is given. */
    public ScriptHeader {
        flags = Set.copyOf(flags);
        keys = List.copyOf(keys);
        args = List.copyOf(args);
    }

    /**
     * Reads the head of a script.
     *
     * @param name name of the script, for the message
     * @param source the whole source
     * @return the header
     * @throws IllegalArgumentException if a part is missing or unreadable
     */
    public static ScriptHeader parse(String name, String source) {
        List<String> lines = source.lines().toList();
        Matcher shebang = SHEBANG.matcher(lines.isEmpty() ? "" : lines.get(0));
        if (!shebang.matches()) {
            throw wrong(
                    name,
                    "the first line must be \"#!lua\" or \"#!lua flags=…\": without it Redis lets a script touch"
                            + " keys that it did not declare");
        }
        Parser parser = new Parser();
        for (String line : lines.subList(1, lines.size())) {
            if (!line.startsWith("--")) {
                break;
            }
            parser.accept(line.substring(2).strip());
        }
        parser.require(name, parser.summary.length() > 0, "a summary sentence");
        parser.require(name, parser.returns, "a line \"-- Returns …\"");
        parser.require(name, parser.cost, "a line \"-- Cost …\"");
        Set<String> flags = new TreeSet<>();
        if (shebang.group(1) != null) {
            flags.addAll(List.of(shebang.group(1).split(",")));
        }
        boolean safe = flags.contains("no-writes") || parser.retry.startsWith("safe");
        return new ScriptHeader(flags, parser.summary.toString(), parser.keys, parser.args, safe, parser.version(name));
    }

    private static IllegalArgumentException wrong(String name, String what) {
        return new IllegalArgumentException("script " + name + ": " + what);
    }

    private static final class Parser {
        final StringBuilder summary = new StringBuilder();
        final List<String> keys = new ArrayList<>();
        final List<String> args = new ArrayList<>();
        String retry = "";
        String version = "1";
        boolean returns;
        boolean cost;

        void accept(String text) {
            Matcher parameter = PARAMETER.matcher(text);
            if (parameter.matches()) {
                (parameter.group(1).equals("KEYS") ? keys : args).add(parameter.group(2));
                return;
            }
            Matcher field = FIELD.matcher(text);
            if (field.matches()) {
                returns |= field.group(1).equals("Returns");
                cost |= field.group(1).equals("Cost");
                retry = field.group(1).equals("Retry") ? field.group(2) : retry;
                version = field.group(1).equals("Version") ? field.group(2).strip() : version;
                return;
            }
            if (keys.isEmpty() && args.isEmpty() && !returns && !text.startsWith("SPDX")) {
                summary.append(summary.length() > 0 && !text.isEmpty() ? " " : "")
                        .append(text);
            }
        }

        int version(String name) {
            require(
                    name,
                    VERSION.matcher(version).matches(),
                    "a whole number of at most 6 digits after \"-- Version\"");
            return Integer.parseInt(version);
        }

        void require(String name, boolean present, String what) {
            if (!present) {
                throw wrong(name, "the header lacks " + what);
            }
        }
    }
}
