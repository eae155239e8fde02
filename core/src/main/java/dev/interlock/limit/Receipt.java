// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

/**
 * What was taken, for the refund.
 *
 * @param key whose
 * @param units how many
 * @param atMicros for which moment, by the clock of Redis
 * @param place by which request
 */
record Receipt(String key, long units, long atMicros, Place place) {
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

    /**
     * One request.
     *
     * @param call the call that carried it
     * @param index place in that call
     */
    record Place(Call call, int index) {}

    /** Unlike that of any other decision. */
    String id() {
        return place.call.lane + '.' + place.call.number + '.' + place.index;
    }
}
