// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.interlock.Topology;
import org.junit.jupiter.api.Test;

class HeldLocksIT extends LockSetup {
    HeldLocksIT() {
        super(Topology.STANDALONE);
    }

    @Test
    void findsTheLocksOfAllProcessesByTheirNamesAndNothingElse() {
        String odd = "a{b}%7B:fence";
        try (Lease mine = here.lock(odd).tryAcquire().orElseThrow();
                Lease other = there.lock("stock:1").tryAcquire().orElseThrow();
                Lease permit = here.semaphore("no-lock", 1).tryAcquire().orElseThrow()) {
            redis.set("interlock:lock:{x}y", "no lock of ours");

            assertThat(here.locks().held(100)).satisfiesExactly(
                    first -> {
                        assertThat(first.name()).isEqualTo(odd);
                        assertThat(first.owner().fence()).isEqualTo(mine.fence());
                    },
                    second -> {
                        assertThat(second.name()).isEqualTo("stock:1");
                        assertThat(second.owner().fence()).isEqualTo(other.fence());
                        assertThat(second.owner().pid()).isEqualTo(ProcessHandle.current().pid());
                    });
            assertThat(here.locks().held(1)).hasSize(1);
            assertThat(permit.isValid()).isTrue();
        } finally {
            redis.del("interlock:lock:{x}y");
        }
        assertThat(here.locks().held(100)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> here.locks().held(0));
    }
}
