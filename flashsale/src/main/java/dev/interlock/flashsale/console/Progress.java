// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.console;

/** Tells a person how far a command is, on the error stream. Used by one thread. */
public interface Progress {
    /** Shows the advance of one task until it is closed. */
    interface Bar extends AutoCloseable {
        /**
         * Shows how much is done.
         *
         * @param done from 0 to the size of the task
         */
        void at(long done);

        /** Ends the task. */
        @Override
        void close();
    }

    /**
     * Says what begins now.
     *
     * @param what one line
     */
    void say(String what);

    /**
     * Begins a task.
     *
     * @param name what is done
     * @param size how much of it
     * @return its bar
     */
    Bar bar(String name, long size);

    /**
     * A bar that moves if a person looks at a terminal, plain lines otherwise.
     *
     * @return the progress
     */
    @SuppressWarnings("SystemConsoleNull") // the property brings the old meaning back
    static Progress onErrorStream() {
        // From JDK 22 to 24 there is a console without a terminal too, unless this one is asked for.
        System.setProperty("jdk.console", "java.base");
        return System.console() == null ? new PlainProgress(System.err) : new TerminalProgress(System.err);
    }
}
