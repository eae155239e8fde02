// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the header says about {@code KEYS} and {@code ARGV}.
 *
 * @param entries the descriptions, in their order
 */
record Signature(List<Entry> entries) {
    private static final Pattern ENTRY = Pattern.compile("--\\s*(KEYS|ARGV)\\[(\\d{1,4})(\\.\\.)?]\\s*(.*)");
    private static final Pattern RANGE = Pattern.compile(
            "\\b(?:to|at most|up to|maximum(?: of)?|max\\.?) ([\\d,_]{1,9})"
                    + "(?![\\d^,_]|\\.\\d)(\\s*(?:bytes?|characters?|chars?|digits|ms|s|seconds|millis(?:econds)?)\\b)?");
    private static final Pattern DOTS = Pattern.compile("\\d\\s*(?:\\.\\.|–|-)\\s*([\\d,_]{1,9})(?![\\d^,_]|\\.\\d)()");
    /** Where the name of a parameter ends and its explanation begins. */
    private static final Pattern NAME_END = Pattern.compile(
            "\\s{2,}|[,;:.(=]|\\b(?:of|in|for|from|to|at|by|per|that|which|who|whose|with|as|until|or|and|is|on)\\b");

    /**
     * One description.
     *
     * @param array {@code KEYS} or {@code ARGV}
     * @param first the number in the brackets
     * @param open whether it stands for all from {@code first} on
     * @param text what is said about it
     * @param line where
     */
    record Entry(String array, int first, boolean open, String text, int line) {
        Entry and(String more) {
            return new Entry(array, first, open, text + ' ' + more, line);
        }

        /** Whether it describes the element of this number. */
        boolean covers(String of, int number) {
            return array.equals(of) && (open ? number >= first : number == first);
        }

        /** The words before the first comma, colon or preposition. */
        String name() {
            Matcher end = NAME_END.matcher(text);
            return end.find() ? text.substring(0, end.start()) : text;
        }

        /** Whether it says that the value, or for an open one the count, is at most {@code limit}. */
        boolean isAtMost(int limit) {
            return Stream.of(RANGE, DOTS).anyMatch(pattern -> {
                Matcher found = pattern.matcher(text);
                long largest = -1;
                while (found.find()) {
                    boolean size = found.group(2) != null && !found.group(2).isEmpty();
                    if (!size || !open) { // "each up to 64 bytes" does not limit how many there are
                        largest = Math.max(
                                largest, Long.parseLong("0" + found.group(1).replaceAll("[,_]", "")));
                    }
                }
                return largest >= 0 && largest <= limit;
            });
        }
    }

    /** Reads the comment lines at the head of a source. A line that is set in goes on with the description above it. */
    static Signature of(String source) {
        List<Entry> entries = new ArrayList<>();
        List<String> lines = source.lines().toList();
        boolean within = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.startsWith("--") && !(i == 0 && line.startsWith("#!"))) {
                break;
            }
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                int first = Integer.parseInt(entry.group(2));
                entries.add(new Entry(entry.group(1), first, entry.group(3) != null, entry.group(4), i + 1));
                within = true;
            } else if (within && line.startsWith("--   ")) {
                int last = entries.size() - 1;
                entries.set(last, entries.get(last).and(line.substring(2).strip()));
            } else {
                within = false;
            }
        }
        return new Signature(List.copyOf(entries));
    }

    /** The description of an element; of two that cover it the first. */
    @Nullable
    Entry entry(String array, int number) {
        return entries.stream()
                .filter(entry -> entry.covers(array, number))
                .findFirst()
                .orElse(null);
    }
}
