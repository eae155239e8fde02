// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import dev.interlock.doctor.Doctor;
import dev.interlock.idempotency.Idempotency;
import dev.interlock.idempotency.IdempotencyConfig;
import dev.interlock.internal.Engine;
import dev.interlock.internal.Names;
import dev.interlock.internal.WeakCache;
import dev.interlock.limit.Limit;
import dev.interlock.limit.RateLimiter;
import dev.interlock.limit.RateLimiterOptions;
import dev.interlock.lock.DistributedLock;
import dev.interlock.lock.Leases;
import dev.interlock.lock.LockOptions;
import dev.interlock.lock.Locks;
import dev.interlock.lock.Permits;
import dev.interlock.pool.Pool;
import dev.interlock.pool.ShardedPool;
import dev.interlock.script.Functions;
import dev.interlock.script.Scripts;
import dev.interlock.stock.StockCounter;
import dev.interlock.stock.StockGroup;
import dev.interlock.value.AtomicValue;
import dev.interlock.value.Versioned;

/**
 * Where everything starts: connects to Redis and hands out the primitives. One per application is enough.
 *
 * <p>Thread-safe. Whoever connects it closes it; primitives it gave out fail afterwards. It opens connections of its own,
 * set up so that no command is ever sent a second time behind the caller's back.
 */
public final class Interlock implements AutoCloseable {
    private final Engine engine;
    private final Scripts scripts;
    private final Leases leases;
    private final Locks locks;
    private final WeakCache<Pool> pools = new WeakCache<>();
    private final WeakCache<StockCounter> stocks = new WeakCache<>();

    Interlock(Engine engine) {
        this.engine = engine;
        this.scripts = Scripts.create(engine);
        this.leases = Leases.create(engine);
        this.locks = Locks.create(leases);
    }

    /**
     * Connects with default settings.
     *
     * @param uris one URI of a standalone server ({@code redis://}), of sentinels ({@code redis-sentinel://}) or of a cluster
     *     node, or several of one cluster
     * @return the connected Interlock
     * @throws IllegalArgumentException if a URI is malformed
     * @throws NotExecutedException if no server answers
     */
    public static Interlock connect(String... uris) {
        return builder().uri(uris).build();
    }

    /**
     * Starts a configuration.
     *
     * @return a builder with all defaults
     */
    public static InterlockBuilder builder() {
        return new InterlockBuilder();
    }

    /**
     * Runs your own scripts.
     *
     * @return the script layer
     */
    public Scripts scripts() {
        return scripts;
    }

    /**
     * Interlock's scripts as functions of Redis, for administrators.
     *
     * @return deploys them and says which node has which
     */
    public Functions functions() {
        return Functions.create(engine, OwnScripts.all());
    }

    /**
     * Examines the servers.
     *
     * @return the doctor
     */
    public Doctor doctor() {
        return Doctor.create(engine, OwnScripts.all());
    }

    /**
     * The counter of one article, where a plain count is enough. Calls through one Interlock for the same name share
     * script calls.
     *
     * @param sku name of the article, 1 to 512 bytes of UTF-8
     * @return the counter; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public StockCounter stock(String sku) {
        return stocks.get(Names.name("sku", sku), name -> StockCounter.create(engine, name));
    }

    /**
     * The counters of articles that are ordered together.
     *
     * @param group name of the group, 1 to 512 bytes of UTF-8
     * @return the group; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public StockGroup stockGroup(String group) {
        return StockGroup.create(engine, Names.name("group", group));
    }

    /**
     * A pool of units of which each is recorded: a coupon campaign, a product on sale. Calls through one Interlock for the
     * same name share script calls.
     *
     * @param name name of the pool, 1 to 512 bytes of UTF-8
     * @return the pool; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public Pool pool(String name) {
        return pools.get(Names.name("pool", name), checked -> Pool.create(engine, checked));
    }

    /**
     * A pool in several shards, which a cluster serves by several masters.
     *
     * @param name name of the pool, 1 to 512 bytes of UTF-8
     * @param shards how many, 2 to 256; the same for all callers
     * @return the pool; nothing is sent
     * @throws IllegalArgumentException if a value breaks a rule
     */
    public ShardedPool shardedPool(String name, int shards) {
        return ShardedPool.create(engine, Names.name("pool", name), shards);
    }

    /**
     * A limiter with default options. All limiters of one name share what was used, whatever their numbers.
     *
     * @param name name of the limiter, 1 to 512 bytes of UTF-8
     * @param limits 1 to 8, of which a request must meet all
     * @return the limiter; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule, or there are too few or many limits
     */
    public RateLimiter rateLimiter(String name, Limit... limits) {
        return rateLimiter(name, RateLimiterOptions.DEFAULT, limits);
    }

    /**
     * A limiter.
     *
     * @param name name of the limiter, 1 to 512 bytes of UTF-8
     * @param options what happens while Redis is away, deadline, denial cache
     * @param limits 1 to 8, of which a request must meet all
     * @return the limiter; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule, or there are too few or many limits
     */
    public RateLimiter rateLimiter(String name, RateLimiterOptions options, Limit... limits) {
        return RateLimiter.create(engine, name, options, limits);
    }

    /**
     * A lock with the default options: a lease of 30 s that is renewed, first come, first served.
     *
     * @param name name of the lock, 1 to 512 bytes of UTF-8
     * @return the lock; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public DistributedLock lock(String name) {
        return lock(name, LockOptions.DEFAULTS);
    }

    /**
     * A lock.
     *
     * @param name name of the lock, 1 to 512 bytes of UTF-8
     * @param options how it is taken and kept
     * @return the lock; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public DistributedLock lock(String name, LockOptions options) {
        return leases.lock(name, options);
    }

    /**
     * A semaphore with the default options: each permit is a lease of 30 s that is renewed, first come, first served.
     *
     * @param name name of the semaphore, 1 to 512 bytes of UTF-8
     * @param permits how many there are, 1 to 1,000,000; the same for all callers
     * @return its permits; nothing is sent
     * @throws IllegalArgumentException if a value breaks a rule
     */
    public Permits semaphore(String name, int permits) {
        return locks.semaphore(name, permits, LockOptions.DEFAULTS);
    }

    /**
     * The rest of the lock family: semaphores with options, read-write locks, several locks at once, leader election, fence
     * guards.
     *
     * @return where to get them; nothing is sent
     */
    public Locks locks() {
        return locks;
    }

    /**
     * One text that changes only if it is what the caller believes it to be.
     *
     * @param name name of the value, 1 to 512 bytes of UTF-8
     * @return the value; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public AtomicValue<String> value(String name) {
        return value(name, Codec.utf8());
    }

    /**
     * One value of any type that changes only if it is what the caller believes it to be.
     *
     * @param name name of the value, 1 to 512 bytes of UTF-8
     * @param codec turns it into bytes and back
     * @param <T> type of the value
     * @return the value; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public <T> AtomicValue<T> value(String name, Codec<T> codec) {
        return AtomicValue.create(engine, Names.name("value", name), codec);
    }

    /**
     * One value with a version that never comes back.
     *
     * @param name name of the value, 1 to 512 bytes of UTF-8; apart from the names of {@link #value(String)}
     * @param codec turns it into bytes and back
     * @param <T> type of the value
     * @return the value; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public <T> Versioned<T> versioned(String name, Codec<T> codec) {
        return Versioned.create(engine, Names.name("versioned", name), codec);
    }

    /**
     * Work that is done once for a key, with text as its response and default times.
     *
     * @param name name of the kind of work, 1 to 512 bytes of UTF-8
     * @return the idempotency; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public Idempotency<String> idempotency(String name) {
        return idempotency(name, IdempotencyConfig.of(Codec.utf8()));
    }

    /**
     * Work that is done once for a key.
     *
     * @param name name of the kind of work, 1 to 512 bytes of UTF-8
     * @param config codec of the response, and times
     * @param <T> type of the response
     * @return the idempotency; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public <T> Idempotency<T> idempotency(String name, IdempotencyConfig<T> config) {
        return Idempotency.create(engine, Names.name("idempotency", name), config);
    }

    /**
     * Closes all connections and threads. Calls in flight and waits end with an exception; leases are not renewed any more,
     * their holders are told, and they lapse at Redis.
     */
    @Override
    public void close() {
        leases.close();
        engine.close();
    }
}
