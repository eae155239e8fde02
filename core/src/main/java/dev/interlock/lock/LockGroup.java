// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Names;
import java.util.Collection;

/**
 * Locks that live together on one node of a cluster, so that one script can acquire several of them. They are others than
 * the plain locks of the same names. All load of a group is on one node, so make it small: the parts of one order, not all
 * orders. Stateless; usable from any thread.
 */
public final class LockGroup {
    private final Leases leases;
    private final String group;
    private final LockOptions options;

    LockGroup(Leases leases, String group, LockOptions options) {
        this.leases = leases;
        this.group = group;
        this.options = options;
    }

    /**
     * One lock of the group.
     *
     * @param name name within the group, 1 to 512 bytes of UTF-8
     * @return the lock
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public DistributedLock lock(String name) {
        return new BlockingLock(new LockCalls(leases.groupQueue(group, Names.name("lock", name), options), options));
    }

    /**
     * Several locks of the group, all or none, by one script.
     *
     * @param names 1 to 64 different names within the group
     * @return the locks
     * @throws IllegalArgumentException if a name breaks a rule or occurs twice
     */
    public MultiLock all(Collection<String> names) {
        return MultiCalls.of(leases, options, names, name -> leases.groupQueue(group, name, options));
    }
}
