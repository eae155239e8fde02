// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

/**
 * An answer, and how far the change that it tells of has surely got. The change stands, whatever level was reached.
 *
 * @param result the answer
 * @param reached the level that was reached; for an answer that changed nothing, the one that was wanted
 * @param replicas how many replicas have acknowledged, if replicas were waited for; else 0
 * @param met whether that is what was wanted
 * @param <T> what was asked
 */
public record Assured<T>(T result, Durability.Level reached, int replicas, boolean met) {}
