// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

/**
 * One thing that was looked at on one server.
 *
 * @param node address of the server
 * @param subject what was looked at, one of a fixed set of words such as {@code eviction}
 * @param level how it is
 * @param finding what was found, and what comes of it
 * @param mend what to do about it; empty if there is nothing to do
 */
public record Diagnosis(String node, String subject, Level level, String finding, String mend) {
    /** How it is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Works, but something can be lost, or it could not be looked at. */
        WARN,
        /** Decisions fail or can be wrong. */
        FAIL
    }

    static Diagnosis ok(String node, String subject, String finding) {
        return new Diagnosis(node, subject, Level.OK, finding, "");
    }

    static Diagnosis warn(String node, String subject, String finding, String mend) {
        return new Diagnosis(node, subject, Level.WARN, finding, mend);
    }

    static Diagnosis fail(String node, String subject, String finding, String mend) {
        return new Diagnosis(node, subject, Level.FAIL, finding, mend);
    }

    /** {@return one line for a terminal} */
    @Override
    public String toString() {
        return String.format("%-4s %s %s: %s", level, node, subject, finding)
                + (mend.isEmpty() ? "" : " Mend: " + mend);
    }
}
