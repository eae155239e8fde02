// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Lines for a log file: at most one every few seconds. */
final class PlainProgress implements Progress {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final PrintStream out;

    PlainProgress(PrintStream out) {
        this.out = out;
    }

    @Override
    public void say(String what) {
        out.println(what);
    }

    @Override
    public Bar bar(String name, long size) {
        return new Bar() {
            private long nextNanos = System.nanoTime() + EVERY_NANOS;

            @Override
            public void at(long done) {
                if (System.nanoTime() - nextNanos >= 0) {
                    nextNanos += EVERY_NANOS;
                    out.println(String.format(Locale.ROOT, "%s: %,d of %,d", name, done, size));
                }
            }

            @Override
            public void close() {}
        };
    }
}
