// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0",
        "100, 100, 0",
        "1000, 900, 100",
        "1000, 10, 990",
        "1000, 7, 500",
        "997, 1, 331",
        "2, 1, 1",
    })
    void repeatsAreCountedExactlyAndRepeatAnEarlierRequest(int requests, int users, int repeats) {
        Workload workload = new Workload(10, requests, users, repeats, 42);
        Map<String, Integer> userOfRequest = new HashMap<>();
        Set<Integer> seen = new HashSet<>();
        int firsts = 0;
        for (int i = 0; i < requests; i++) {
            Workload.Call call = workload.call(i);
            Integer before = userOfRequest.putIfAbsent(call.id(), call.user());
            if (before == null && call.id().startsWith("first-")) {
                firsts++;
            } else {
                assertThat(seen).as("the user of a repeat").contains(call.user());
            }
            assertThat(before == null || before == call.user())
                    .as("one user an id")
                    .isTrue();
            seen.add(call.user());
        }
        assertThat(firsts).isEqualTo(requests - repeats);
        assertThat(seen).hasSize(users).allMatch(user -> user >= 1 && user <= users);
    }

    @Test
    void halfOfTheRepeatsHaveTheSameId() {
        Workload workload = new Workload(10, 100_000, 50_000, 50_000, 7);
        int again = 0;
        for (int i = 0; i < 100_000; i++) {
            again += workload.call(i).id().startsWith("again-") ? 1 : 0;
        }
        assertThat(again).isCloseTo(25_000, within(1_000));
    }

    @Test
    void repeatsOfOneUserReachDifferentNodes() {
        Workload workload = new Workload(10, 10_000, 5_000, 5_000, 7);
        Map<Integer, Set<Integer>> nodesOfUser = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            nodesOfUser
                    .computeIfAbsent(workload.call(i).user(), user -> new HashSet<>())
                    .add(i % 2);
        }
        assertThat(nodesOfUser.values().stream()
                        .filter(nodes -> nodes.size() == 2)
                        .count())
                .isGreaterThan(1_000);
    }

    @Test
    void theSeedAloneDecides() {
        Workload one = new Workload(10, 1_000, 500, 500, 7);
        Workload same = new Workload(10, 1_000, 500, 500, 7);
        Workload other = new Workload(10, 1_000, 500, 500, 8);
        int different = 0;
        for (int i = 0; i < 1_000; i++) {
            assertThat(same.call(i)).isEqualTo(one.call(i));
            different += one.call(i).equals(other.call(i)) ? 0 : 1;
        }
        assertThat(different).isPositive();
    }
}
