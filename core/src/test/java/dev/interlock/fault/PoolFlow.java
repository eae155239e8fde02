// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolState;
import java.util.ArrayList;
import java.util.List;

/** Has units issued to ever new users: one each, none twice, and every one recorded. */
final class PoolFlow extends Flow {
    private static final long TOTAL = 1_000_000;

    private final Pool pool;
    private final List<Long> sequences = new ArrayList<>();
    private boolean created;

    PoolFlow(String name, Pool pool) {
        super(name);
        this.pool = pool;
    }

    @Override
    String ask(String requestId) {
        if (!created) {
            pool.create(PoolConfig.of(TOTAL));
            created = true;
        }
        IssueResult result = pool.issue("user of " + requestId, requestId);
        if (result instanceof IssueResult.Issued issued) {
            sequences.add(issued.sequence());
        } else if (result instanceof IssueResult.Replayed replayed) {
            sequences.add(replayed.sequence());
        } else {
            throw new IllegalStateException("not issued: " + result);
        }
        return result.toString();
    }

    @Override
    void verify(boolean lossless) {
        PoolState state = pool.state().orElseThrow();
        long issued = TOTAL - state.available();
        assertThat(state.users()).isEqualTo(issued);
        assertThat(issued).isLessThanOrEqualTo(sequences.size());
        if (lossless) {
            assertThat(sequences).doesNotHaveDuplicates();
            assertThat(issued).isEqualTo(sequences.size());
        } else {
            System.out.println(name + ": Redis forgot " + (sequences.size() - issued) + " of " + sequences.size()
                    + " issued units");
        }
    }
}
