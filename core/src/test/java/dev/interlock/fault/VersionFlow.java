// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Codec;
import dev.interlock.Interlock;
import dev.interlock.value.Ttl;
import dev.interlock.value.Versioned;
import dev.interlock.value.WriteResult;
import java.util.ArrayList;
import java.util.List;

/** Writes one value again and again, each time over the version it wrote last. */
final class VersionFlow extends Flow {
    private final Versioned<String> value;
    private final List<Long> versions = new ArrayList<>();
    private long version;
    private long overtaken;

    VersionFlow(String name, Interlock interlock, String tag) {
        super(name);
        value = interlock.versioned(tag, Codec.utf8());
    }

    @Override
    String ask(String requestId) {
        WriteResult<String> result = value.compareAndSet(version, requestId, Ttl.KEEP, requestId);
        if (result instanceof WriteResult.Written<String> written) {
            version = written.version();
            versions.add(version);
        } else {
            overtaken++;
            version = value.get().map(Versioned.Snapshot::version).orElse(0L);
        }
        return result.toString();
    }

    @Override
    void verify(boolean lossless) {
        assertThat(versions).isSorted().doesNotHaveDuplicates();
        if (lossless) {
            assertThat(overtaken).as("nobody else writes").isZero();
        }
    }
}
