// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

/** One of the equal parts of a pool. */
record Shard(int index, int count) {
    /** A pool that is not parted. */
    static final Shard ONLY = new Shard(0, 1);

    @Override
    public String toString() {
        return count == 1 ? "0" : index + "/" + count;
    }
}
