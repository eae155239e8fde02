// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.CorruptStateException;
import dev.interlock.Interlock;
import dev.interlock.pool.IssueResult;
import dev.interlock.pool.Pool;
import dev.interlock.pool.PoolConfig;
import dev.interlock.pool.PoolState;
import java.util.ArrayList;
import java.util.List;

/** Has units issued to ever new users: one each, none twice, and every one recorded. */
final class PoolFlow extends Flow {
    private static final long TOTAL = 1_000_000;

    private final Interlock interlock;
    private final String tag;
    private final List<Long> sequences = new ArrayList<>();
    private Pool pool;
    private boolean created;
    private int wentBack;

    PoolFlow(String name, Interlock interlock, String tag) {
        super(name);
        this.interlock = interlock;
        this.tag = tag;
        pool = interlock.pool(tag);
    }

    @Override
    String ask(String requestId) {
        if (!created) {
            pool.create(PoolConfig.of(TOTAL));
            created = true;
        }
        IssueResult result;
        try {
            result = pool.issue("user of " + requestId, requestId);
        } catch (CorruptStateException e) {
            assertThat(e).hasMessageContaining("went back in time");
            nextPool();
            return "detected a loss";
        }
        if (result instanceof IssueResult.Issued issued) {
            sequences.add(issued.sequence());
        } else if (result instanceof IssueResult.Replayed replayed) {
            sequences.add(replayed.sequence());
        } else {
            throw new IllegalStateException("not issued: " + result);
        }
        return result.toString();
    }

    /** Redis forgot what it had acknowledged, so this pool issues nothing until it is rebuilt: the next one, then. */
    private void nextPool() {
        wentBack++;
        sequences.clear();
        created = false;
        pool = interlock.pool(tag + ' ' + wentBack);
    }

    @Override
    void verify(boolean lossless) {
        if (!created) {
            return;
        }
        PoolState state = pool.state().orElseThrow();
        long issued = TOTAL - state.available();
        assertThat(state.users()).isEqualTo(issued);
        assertThat(issued).isLessThanOrEqualTo(sequences.size());
        if (lossless) {
            assertThat(wentBack).isZero();
            assertThat(sequences).doesNotHaveDuplicates();
            assertThat(issued).isEqualTo(sequences.size());
        } else {
            System.out.println(name + ": " + wentBack + " losses were detected");
        }
    }
}
