// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerVersionTest {
    @ParameterizedTest
    @CsvSource({
        "redis, 6.2.20, false, true, false",
        "redis, 7.0.15, true, true, false",
        "redis, 7.2.10, true, true, true",
        "redis, 7.2.11, true, false, true",
        "redis, 7.4.5, true, true, true",
        "redis, 7.4.6, true, false, true",
        "redis, 8.0.4, true, false, true",
        "redis, 8.2.1, true, true, true",
        "redis, 8.2.2, true, false, true",
        "redis, 8.4.0, true, false, true",
        "redis, 7.4.9, true, false, false",
        "redis, 8.2.6, true, false, false",
        "redis, 8.4.2, true, false, true",
        "redis, 8.4.3, true, false, false",
        "redis, 8.6.2, true, false, true",
        "redis, 8.6.3, true, false, false",
        "redis, 8.8.0, true, false, false",
        "valkey, 7.2.11, false, false, false",
        "valkey, 8.0.5, true, true, false",
        "valkey, 8.1.4, true, false, false",
        "valkey, 9.0.0, true, false, false",
        "redis, unstable, false, true, false",
    })
    void aVersionIsKnownForWhatIsWrongWithIt(
            String server, String version, boolean supported, boolean faulty, boolean unblocking) {
        NodeFacts facts = new NodeFacts(
                "n",
                Map.of("server_name", server, server + "_version", version),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        ServerVersion parsed = ServerVersion.of(facts);
        assertThat(parsed.supported()).isEqualTo(supported);
        assertThat(parsed.hasKnownFaults()).isEqualTo(faulty);
        assertThat(parsed.mayHaveUnblockingFault()).isEqualTo(unblocking);
    }
}
