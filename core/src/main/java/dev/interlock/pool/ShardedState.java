// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

/**
 * A parted pool as its shards tell of it.
 *
 * @param available units left, in all shards
 * @param held units that are held for users, not among those left
 * @param inTransit units on their way from one shard to another, not among those left
 * @param users how many users hold or held a unit
 * @param exact whether all numbers belong to one moment; false if the pool changed during each of several readings
 */
public record ShardedState(long available, long held, long inTransit, long users, boolean exact) {}
