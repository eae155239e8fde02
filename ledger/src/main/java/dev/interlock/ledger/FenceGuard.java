// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import dev.interlock.lock.Fences;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The half of a lock that belongs to a database: refuses writes whose fence is older than one that has written. A holder that
 * was paused beyond its lease cannot overwrite what its successor wrote.
 *
 * <p>Guarantees: a guarded write takes effect only if no larger fence has written to the same row, or to the same resource,
 * before; several writes under one fence are allowed. Does not guarantee that a write of an older holder does not come just
 * before the first of its successor: that one then reads it. Every writer must use the guard.
 *
 * <p>Joins the Spring transaction of the calling thread, if there is one for the same data source. Thread-safe. Failures are
 * the {@link org.springframework.dao.DataAccessException}s of Spring.
 */
public final class FenceGuard {
    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)?");
    private static final int MAX_RESOURCE_CHARS = 512;
    private static final String ADMIT = "INSERT INTO interlock_fence AS seen (resource, fence) VALUES (?, ?)"
            + " ON CONFLICT (resource) DO UPDATE SET fence = excluded.fence, seen_at = now()"
            + " WHERE seen.fence <= excluded.fence";

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transactions;

    /**
     * Guards writes to a database.
     *
     * @param dataSource where; {@link #write} needs the tables of {@link LedgerSchema#migrate}
     */
    public FenceGuard(DataSource dataSource) {
        jdbc = new JdbcTemplate(dataSource);
        transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
    }

    /**
     * Updates rows that have a column {@code fence} (bigint, not null, 0 at first), unless a larger fence has written to them:
     * {@code UPDATE table SET assignments, fence = ? WHERE (condition) AND fence <= ?}. One statement.
     *
     * @param table name of the table, a constant of the program
     * @param assignments what to set, a constant of the program with {@code ?} for values
     * @param condition which rows, likewise
     * @param fence fence of the writer's lease, 1 to 2^53 − 1
     * @param values for the {@code ?} of the assignments, then of the condition
     * @return how many rows were updated; 0 if a larger fence has written to them, or none meets the condition; then nothing
     *     changed
     * @throws IllegalArgumentException before anything is sent, if the fence lies outside or the table is no name
     */
    public int update(String table, String assignments, String condition, long fence, @Nullable Object... values) {
        Fences.check(fence);
        if (!TABLE.matcher(table).matches()) {
            throw new IllegalArgumentException("table must be a plain name");
        }
        long inAssignments = assignments.chars().filter(c -> c == '?').count();
        if (inAssignments > values.length) {
            throw new IllegalArgumentException("values are fewer than the ? of the assignments");
        }
        List<@Nullable Object> all = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            if (i == inAssignments) {
                all.add(fence);
            }
            all.add(values[i]);
        }
        if (inAssignments == values.length) {
            all.add(fence);
        }
        all.add(fence);
        String sql = "UPDATE " + table + " SET " + assignments + ", fence = ? WHERE (" + condition + ") AND fence <= ?";
        return jdbc.update(sql, all.toArray());
    }

    /**
     * Does work that writes to a resource without a column for the fence, in one transaction with the check; the row of the
     * resource stays locked to its end, so that holders of different fences write one after the other. Joins a transaction
     * that is under way. Two statements besides the work.
     *
     * @param resource name of the resource, at most 512 characters
     * @param fence fence of the writer's lease, 1 to 2^53 − 1
     * @param work what to do; if it throws, everything is rolled back
     * @return false if a larger fence has written before; then the work was not done
     * @throws IllegalArgumentException before anything is sent, if an argument lies outside
     */
    public boolean write(String resource, long fence, Runnable work) {
        Fences.check(fence);
        if (resource.isEmpty() || resource.length() > MAX_RESOURCE_CHARS || resource.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "resource must have 1 to " + MAX_RESOURCE_CHARS + " characters and no NUL");
        }
        return Boolean.TRUE.equals(transactions.execute(status -> {
            if (jdbc.update(ADMIT, resource, fence) == 0) {
                return false;
            }
            work.run();
            return true;
        }));
    }
}
