// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

/**
 * Which requests a rush makes, all computed from their index, so that nothing is kept and any process can make its share.
 *
 * <p>The repeats are spread evenly. Each repeats a random request before it: with the same request id as a client that did
 * not get its answer, or with a new one as a user who tries again, about half each. The others, numbered through, come from
 * the users in turn.
 *
 * @param coupons units on sale
 * @param requests all calls
 * @param users distinct users
 * @param repeats how many of the requests repeat an earlier one
 * @param seed what the choice of repeated requests depends on
 */
record Workload(int coupons, int requests, int users, int repeats, long seed) {
    /**
     * One request.
     *
     * @param user who makes it, from 1
     * @param id by which id
     */
    record Call(int user, String id) {}

    /** The request with this index, from 0. */
    Call call(int index) {
        int repeatsBefore = repeatsBefore(index);
        int originalsBefore = index - repeatsBefore;
        if (repeatsBefore(index + 1) == repeatsBefore) {
            return original(originalsBefore);
        }
        long random = random(index);
        Call first = original((int) ((random >>> 1) % originalsBefore));
        return random < 0 ? first : new Call(first.user(), "again-" + index);
    }

    /** The request that is the n-th, from 0, of those that are no repeats. */
    private Call original(int n) {
        return new Call(n % users + 1, "first-" + n);
    }

    /** How many of the first requests are repeats. */
    private int repeatsBefore(int index) {
        return (int) ((long) index * repeats / requests);
    }

    static String userId(int user) {
        return "user-" + user;
    }

    /** Mixes as SplitMix64 does (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
    private long random(int index) {
        long z = seed + index * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
