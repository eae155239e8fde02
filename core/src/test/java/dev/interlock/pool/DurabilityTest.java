// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.interlock.NotExecutedException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurabilityTest {
    @Test
    void onlyAServerWithTheCommandAndTheFileIsTakenForDurable() {
        assertThatThrownBy(() -> ServerArrival.checkDisk("redis_version:7.0.15\r\naof_enabled:1\r\n"))
                .isInstanceOf(NotExecutedException.class)
                .hasMessageContaining("7.0.15");
        assertThatThrownBy(() -> ServerArrival.checkDisk("redis_version:6.2.20\r\naof_enabled:1\r\n"))
                .hasMessageContaining("7.2");
        assertThatThrownBy(() -> ServerArrival.checkDisk("redis_version:7.2.4\r\naof_enabled:0\r\n"))
                .hasMessageContaining("appendonly");
        assertThatCode(() -> ServerArrival.checkDisk("redis_version:7.2.4\r\naof_enabled:1\r\n"))
                .doesNotThrowAnyException();
        assertThatCode(() -> ServerArrival.checkDisk("redis_version:8.0.4\r\naof_enabled:1\r\n"))
                .doesNotThrowAnyException();
    }

    @Test
    void badLevelsAreRefused() {
        assertThatThrownBy(() -> Durability.replicated(0)).hasMessageContaining("replicas");
        assertThatThrownBy(() -> Durability.replicated(101)).hasMessageContaining("replicas");
        assertThatThrownBy(() -> Durability.RECORDED.withPatience(Duration.ZERO)).hasMessageContaining("patience");
        assertThatThrownBy(() -> new Durability(Durability.Level.MEMORY, 1, Durability.DEFAULT_PATIENCE))
                .hasMessageContaining("replicas");
    }
}
