// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

/**
 * What was taken, for the refund.
 *
 * @param key whose
 * @param units how many
 * @param atMicros for which moment, by the clock of Redis
 * @param call by the request of which call
 * @param index place of the request in the call
 */
record Receipt(String key, long units, long atMicros, Call call, int index) {
    /**
     * One script call.
     *
     * @param limiter name of the limiter
     * @param lane the lane's token
     * @param number of the call in the lane
     */
    record Call(String limiter, String lane, long number) {
        private static final long DIGITS = 10_000_000_000_000_000L;

        /** The number with 16 digits, so that texts compare as numbers do. */
        String digits() {
            return String.valueOf(DIGITS + number).substring(1);
        }
    }

    /** Unlike that of any other decision. */
    String id() {
        return call.lane + '.' + call.number + '.' + index;
    }
}
