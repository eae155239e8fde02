// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar that moves. */
final class TerminalProgress implements Progress {
    private static final int REFRESH_MILLIS = 100;

    private final PrintStream out;

    TerminalProgress(PrintStream out) {
        this.out = out;
    }

    @Override
    public void say(String what) {
        out.println(what);
    }

    @Override
    public Bar bar(String name, long size) {
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(size)
                .setUpdateIntervalMillis(REFRESH_MILLIS)
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new ConsoleProgressBarConsumer(out))
                .build();
        return new Bar() {
            @Override
            public void at(long done) {
                bar.stepTo(done);
            }

            @Override
            public void close() {
                bar.close();
            }
        };
    }
}
