// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

/**
 * What one check found on one master.
 *
 * @param check which check
 * @param level how bad it is
 * @param node address of the master, as it knows itself
 * @param says what was found
 * @param mend what to do about it, empty if nothing
 */
public record Finding(Check check, Level level, String node, String says, String mend) {
    /** How bad it is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Data or time may be lost in some failures, or it could not be found out. */
        WARN,
        /** What Interlock promises does not hold on this server. */
        FAIL
    }

    @Override
    public String toString() {
        return level + " " + check + " on " + node + ": " + says + (mend.isEmpty() ? "" : "; " + mend);
    }
}
