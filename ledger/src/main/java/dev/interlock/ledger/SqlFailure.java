// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a failure of the database means for the next step, by SQLSTATE (PostgreSQL manual, appendix A). */
enum SqlFailure {
    /** The data is refused, now and ever. */
    DATA,
    /** Another transaction was in the way: the same again may pass at once. */
    CONTENTION,
    /** Anything else: not reachable, out of space, outcome unknown. Passes later, if at all. */
    OTHER;

    // serialization_failure, deadlock_detected, lock_not_available
    private static final Set<String> IN_THE_WAY = Set.of("40001", "40P01", "55P03");
    // What RAISE EXCEPTION in a user's trigger gives unless told otherwise: the row is refused.
    private static final String RAISED = "P0001";
    private static final int MAX_DEPTH = 20;

    static SqlFailure of(Throwable failure) {
        SQLException cause = cause(failure);
        String state = cause == null ? null : cause.getSQLState();
        if (state == null) {
            return OTHER;
        }
        if (IN_THE_WAY.contains(state)) {
            return CONTENTION;
        }
        return state.startsWith("22") || state.startsWith("23") || state.equals(RAISED) ? DATA : OTHER;
    }

    /** The SQL failure below, or null. */
    static @Nullable SQLException cause(Throwable failure) {
        Throwable at = failure;
        for (int depth = 0; at != null && depth < MAX_DEPTH; depth++) {
            if (at instanceof SQLException sql) {
                return sql;
            }
            at = at.getCause();
        }
        return null;
    }
}
