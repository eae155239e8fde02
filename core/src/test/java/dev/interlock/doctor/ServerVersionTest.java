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
        "redis, 6.2.20, false, true",
        "redis, 7.0.15, true, true",
        "redis, 7.2.10, true, true",
        "redis, 7.2.11, true, false",
        "redis, 7.4.5, true, true",
        "redis, 7.4.6, true, false",
        "redis, 8.0.4, true, false",
        "redis, 8.2.1, true, true",
        "redis, 8.2.2, true, false",
        "redis, 8.4.0, true, false",
        "valkey, 7.2.11, false, false",
        "valkey, 8.0.5, true, true",
        "valkey, 8.1.4, true, false",
        "valkey, 9.0.0, true, false",
        "redis, unstable, false, true",
    })
    void aVersionIsKnownForWhatIsWrongWithIt(String server, String version, boolean supported, boolean faulty) {
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
    }
}
