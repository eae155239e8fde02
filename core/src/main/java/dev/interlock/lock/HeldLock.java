// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

/**
 * A lock that somebody held when it was looked for.
 *
 * @param name its name
 * @param owner who held it
 */
public record HeldLock(String name, LockOwner owner) {}
