// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

/**
 * A pool at one moment: all values were read together.
 *
 * @param epoch which life of the pool
 * @param sequence number of its latest event, 0 after its creation
 * @param available units left
 * @param held units that are held for users, not among those left
 * @param users how many users hold or held a unit
 * @param fenced whether it answers {@link IssueResult.Rebuilding} for now
 */
public record PoolState(long epoch, long sequence, long available, long held, long users, boolean fenced) {}
