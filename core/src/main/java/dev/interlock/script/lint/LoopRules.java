// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

/** L09: every {@code while} and {@code repeat} must be seen to end; {@link LoopBound} defines how. */
final class LoopRules {
    private final Chunk chunk;
    private final Report report;

    LoopRules(Chunk chunk, Report report) {
        this.chunk = chunk;
        this.report = report;
    }

    void check() {
        chunk.all(Stat.While.class).forEach(loop -> {
            LoopBound bound = new LoopBound(chunk, loop.body());
            if (!bound.isLeft() && !bound.becomes(loop.condition(), false)) {
                report.add(Rule.LOOP, loop.line(), "this while");
            }
        });
        chunk.all(Stat.Repeat.class).forEach(loop -> {
            LoopBound bound = new LoopBound(chunk, loop.body());
            if (!bound.isLeft() && !bound.becomes(loop.condition(), true)) {
                report.add(Rule.LOOP, loop.line(), "this repeat");
            }
        });
    }
}
