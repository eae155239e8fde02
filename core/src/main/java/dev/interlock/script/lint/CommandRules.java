// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.Set;

/** L10 and L11: commands and keys that reach beyond what was declared. */
final class CommandRules {
    private static final Set<String> WHOLE_KEY_SPACE = Set.of("KEYS", "SCAN", "RANDOMKEY");

    private final Chunk chunk;
    private final Values values;
    private final Report report;

    CommandRules(Chunk chunk, Values values, Report report) {
        this.chunk = chunk;
        this.values = values;
        this.report = report;
    }

    void check() {
        chunk.commands().forEach(command -> {
            if (WHOLE_KEY_SPACE.contains(command.name())) {
                report.add(Rule.COMMAND, command.call().line(), command.name() + " in a script");
            }
            KeyPositions.keys(command, chunk).forEach(key -> checkKey(command, key));
        });
    }

    private void checkKey(Command command, Expr key) {
        values.kinds(key).stream().filter(Kind.NO_KEY::contains).findFirst().ifPresent(kind -> {
            String origin = switch (kind) {
                case LITERAL, NUMBER -> "written in the script";
                case BUILT -> "built in the script";
                case ARGUMENT -> "taken from ARGV";
                default -> "read from Redis";
            };
            report.add(Rule.KEY_NAME, key.line(), command.name() + " gets a key name " + origin);
        });
    }
}
