// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class WeakCacheTest {
    private final WeakCache<Object> cache = new WeakCache<>();

    @Test
    void givesTheSameObjectWhileSomebodyHoldsIt() {
        Object held = cache.get("a", name -> new Object());
        System.gc();
        assertThat(cache.get("a", name -> new Object())).isSameAs(held);
        assertThat(cache.get("b", name -> new Object())).isNotSameAs(held);
    }

    @Test
    void aMillionOneTimeNamesLeaveNothing() {
        for (int i = 0; i < 1_000_000; i++) {
            cache.get("name" + i, name -> new Object());
        }
        await().until(() -> {
            System.gc();
            return cache.size() == 0;
        });
    }
}
