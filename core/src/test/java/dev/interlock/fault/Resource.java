// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a lock protects: it refuses an older fence, and remembers who used it. */
final class Resource {
    /** A lease as its holder saw it: asked, granted, and valid at least until then. */
    record Use(String token, long fence, long asked, long granted, long until) {}

    private final List<Use> uses = new ArrayList<>();
    private long highest;
    private String owner = "";
    private long stale;

    /** Whether it takes a write with this fence. */
    synchronized boolean write(String token, long fence) {
        if (fence < highest) {
            stale++;
            return false;
        }
        assertThat(fence > highest || token.equals(owner))
                .as("fence %s of %s was that of %s", fence, token, owner)
                .isTrue();
        highest = fence;
        owner = token;
        return true;
    }

    synchronized void used(Use use) {
        uses.add(use);
    }

    synchronized long stale() {
        return stale;
    }

    /** Whoever asked after another had it got a larger fence; without losses two never had it at the same time. */
    synchronized void verify(boolean lossless) {
        List<Use> byTime =
                uses.stream().sorted(Comparator.comparingLong(Use::asked)).toList();
        List<Use> byGrant =
                uses.stream().sorted(Comparator.comparingLong(Use::granted)).toList();
        int granted = 0;
        long largest = 0;
        for (Use use : byTime) {
            for (; granted < byGrant.size() && byGrant.get(granted).granted() < use.asked(); granted++) {
                largest = Math.max(largest, byGrant.get(granted).fence());
            }
            assertThat(use.fence()).as("fence of %s", use).isGreaterThan(largest);
        }
        Use longest = null;
        for (Use use : lossless ? byGrant : List.<Use>of()) {
            assertThat(longest == null || use.granted() >= longest.until())
                    .as("%s and %s", longest, use)
                    .isTrue();
            longest = longest == null || use.until() > longest.until() ? use : longest;
        }
    }
}
