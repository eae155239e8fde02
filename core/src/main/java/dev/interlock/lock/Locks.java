// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Await;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Names;
import dev.interlock.lock.GateLane.Entry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The lock family beyond the plain lock. Made by {@link dev.interlock.Interlock}. What it gives out is stateless and cheap,
 * nothing is sent before it is used. Thread-safe.
 */
public final class Locks {
    private static final int MIN_NODES = 3;
    private static final int MAX_NODES = 15;
    private static final int MAX_REPLICAS = 100;

    private final Leases leases;
    private final Gates gates;
    private final Acknowledgement acknowledgement;

    private Locks(Leases leases) {
        this.leases = leases;
        this.gates = new Gates(leases);
        this.acknowledgement = new Acknowledgement(leases);
    }

    /**
     * Made by {@link dev.interlock.Interlock}.
     *
     * @param leases what its leases share
     * @return its lock family
     */
    public static Locks create(Leases leases) {
        return new Locks(leases);
    }

    /**
     * A semaphore.
     *
     * @param name name of the semaphore, 1 to 512 bytes of UTF-8
     * @param permits how many there are, 1 to 1,000,000; the same for all callers
     * @param options how a permit is taken and kept
     * @return its permits
     * @throws IllegalArgumentException if a value breaks a rule
     */
    public Permits semaphore(String name, int permits, LockOptions options) {
        Names.name("semaphore", name);
        Bounds.range("permits", permits, 1, Gates.MAX_PLACES);
        return new BlockingPermits(
                new PermitCalls(gates.gate("semaphore", name, options), new Entry(permits), options));
    }

    /**
     * A read-write lock with the default options: leases of 30 s that are renewed, first come, first served.
     *
     * @param name name of the lock, 1 to 512 bytes of UTF-8
     * @return the lock
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public ReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, LockOptions.DEFAULTS);
    }

    /**
     * A read-write lock.
     *
     * @param name name of the lock, 1 to 512 bytes of UTF-8
     * @param options how it is taken and kept
     * @return the lock
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public ReadWriteLock readWriteLock(String name, LockOptions options) {
        Names.name("readWriteLock", name);
        return new ReadWriteCalls(gates.gate("rwlock", name, options), options);
    }

    /**
     * A plain lock whose grants must reach replicas before its callers get them: after a grant it waits until so many
     * replicas have acknowledged it, else it releases and fails with {@link NotAcknowledgedException}. Less is lost when a master
     * dies, but nothing is safe: a replica that has not acknowledged may be promoted, and an acknowledgement is not a write to
     * disk. It excludes the plain lock of the same name. Two more commands for each lease; the wait of a caller includes
     * the acknowledgement.
     *
     * @param name name of the lock, 1 to 512 bytes of UTF-8
     * @param options how it is taken and kept
     * @param replicas how many must acknowledge, 1 to 100
     * @param timeout how long that may take, 1 ms to 10 s
     * @return the lock
     * @throws IllegalArgumentException if a value breaks a rule
     */
    public DistributedLock replicated(String name, LockOptions options, int replicas, Duration timeout) {
        Names.name("lock", name);
        Bounds.range("replicas", replicas, 1, MAX_REPLICAS);
        long millis = Bounds.millis("timeout", timeout, Duration.ofMillis(1), Duration.ofSeconds(10));
        Acknowledgement.Wanted wanted = new Acknowledgement.Wanted(acknowledgement, replicas, millis);
        return new BlockingLock(new LockCalls(leases.queue("lock", name, options), options, wanted));
    }

    /**
     * Several plain locks as one, all or none, with the default options.
     *
     * @param names 1 to 64 different names, each 1 to 512 bytes of UTF-8, in any order
     * @return the locks
     * @throws IllegalArgumentException if a name breaks a rule or occurs twice
     */
    public MultiLock all(Collection<String> names) {
        return all(names, LockOptions.DEFAULTS);
    }

    /**
     * Several plain locks as one, all or none.
     *
     * @param names 1 to 64 different names, each 1 to 512 bytes of UTF-8, in any order
     * @param options how they are taken and kept
     * @return the locks
     * @throws IllegalArgumentException if a name breaks a rule or occurs twice
     */
    public MultiLock all(Collection<String> names, LockOptions options) {
        return MultiCalls.of(leases, options, names, name -> leases.queue("lock", name, options));
    }

    /**
     * Locks that live together on one node of a cluster.
     *
     * @param group name of the group, 1 to 512 bytes of UTF-8
     * @param options how its locks are taken and kept
     * @return the group
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public LockGroup group(String group, LockOptions options) {
        return new LockGroup(leases, Names.name("group", group), options);
    }

    /**
     * Stands for election with the default options until it is closed: a leader that dies is followed within 30 s.
     *
     * @param name name of the election, 1 to 512 bytes of UTF-8; no lock of that name is touched
     * @param candidate what to do when elected and revoked
     * @return the candidacy; close it to resign
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public LeaderElection election(String name, LeaderElection.Candidate candidate) {
        return election(name, LockOptions.DEFAULTS, candidate);
    }

    /**
     * Stands for election until it is closed.
     *
     * @param name name of the election, 1 to 512 bytes of UTF-8; no lock of that name is touched
     * @param options how leadership is taken and kept; its lease time is how long nobody leads after a leader died
     * @param candidate what to do when elected and revoked
     * @return the candidacy; close it to resign
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public LeaderElection election(String name, LockOptions options, LeaderElection.Candidate candidate) {
        Names.name("election", name);
        LeaderElection election = new LeaderElection(leases.lock("election", name, options), leases, name, candidate);
        election.stand();
        return election;
    }

    /**
     * A value that refuses writers with an older fence.
     *
     * @param name name of the value, 1 to 512 bytes of UTF-8
     * @return the value
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public FencedValue fenced(String name) {
        return new FencedCalls.Blocking(new FencedCalls(leases.engine(), Names.name("fenced value", name)));
    }

    /**
     * Finds the plain locks that are held now, of whatever process, for operators. Cost: SCAN over all keys of Redis, in steps
     * of 1,000, and one script call for each lock.
     *
     * @param most most locks to find, 1 to 10,000
     * @return them with their owners, by name; one that changed hands meanwhile may be missing
     * @throws IllegalArgumentException before anything is sent, if the number lies outside
     * @throws dev.interlock.InterlockException if Redis does not answer
     */
    public List<HeldLock> held(int most) {
        Bounds.range("most", most, 1, HeldLocks.MAX_FOUND);
        return Await.uninterruptibly("locks.held", () -> new HeldLocks(leases, most).find());
    }

    /**
     * A lock held by the majority of several independent servers.
     *
     * @param name name of the lock, 1 to 512 bytes of UTF-8
     * @param options how it is taken and kept
     * @param nodes the {@link dev.interlock.Interlock#locks()} of 3 to 15 Interlocks, each of another server
     * @return the lock
     * @throws IllegalArgumentException if a value breaks a rule, or one is given twice
     */
    public static QuorumLock quorum(String name, QuorumOptions options, List<Locks> nodes) {
        Names.name("quorum lock", name);
        Bounds.range("nodes", nodes.size(), MIN_NODES, MAX_NODES);
        Bounds.range("different nodes", Set.copyOf(nodes).size(), nodes.size(), nodes.size());
        List<Leases> servers = nodes.stream().map(node -> node.leases).toList();
        return new BlockingQuorum(new QuorumCalls(new QuorumNodes(name, options, servers)));
    }
}
