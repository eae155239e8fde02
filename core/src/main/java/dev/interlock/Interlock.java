// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.Keys;
import dev.interlock.internal.Names;
import dev.interlock.internal.WeakCache;
import dev.interlock.lock.DistributedLock;
import dev.interlock.lock.Leases;
import dev.interlock.lock.LockOptions;
import dev.interlock.lock.Locks;
import dev.interlock.lock.Permits;
import dev.interlock.pool.Pool;
import dev.interlock.script.Scripts;
import dev.interlock.stock.StockCounter;
import dev.interlock.stock.StockGroup;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    private Interlock(Engine engine) {
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
    public static Builder builder() {
        return new Builder();
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
     * Closes all connections and threads. Calls in flight and waits end with an exception; leases are not renewed any more,
     * their holders are told, and they lapse at Redis.
     */
    @Override
    public void close() {
        leases.close();
        engine.close();
    }

    /** Settings of an {@link Interlock}; each has a default. */
    public static final class Builder {
        /** Default of {@link #commandTimeout}. */
        public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofMillis(200);
        /** Default of {@link #keyPrefix}. */
        public static final String DEFAULT_KEY_PREFIX = "interlock";
        /** Default of {@link #maxPending}. */
        public static final int DEFAULT_MAX_PENDING = 65_536;

        private static final Duration MIN_TIMEOUT = Duration.ofMillis(10);
        private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

        private List<RedisURI> uris = List.of(RedisURI.create("redis://localhost:6379"));
        private @Nullable ClientResources clientResources;
        private Duration commandTimeout = DEFAULT_COMMAND_TIMEOUT;
        private String keyPrefix = DEFAULT_KEY_PREFIX;
        private int maxPending = DEFAULT_MAX_PENDING;
        private InterlockListener listener = new InterlockListener() {};

        private Builder() {}

        /**
         * Where Redis is; {@code redis://localhost:6379} by default.
         *
         * @param values as in {@link Interlock#connect(String...)}
         * @return this
         * @throws IllegalArgumentException if there is none, or one is malformed
         */
        public Builder uri(String... values) {
            if (values.length == 0) {
                throw new IllegalArgumentException(
                        "uri needs at least one Redis URI, for example redis://localhost:6379");
            }
            List<RedisURI> parsed = new ArrayList<>();
            for (String value : values) {
                parsed.add(parse(value));
            }
            uris = List.copyOf(parsed);
            return this;
        }

        private static RedisURI parse(String value) {
            try {
                return RedisURI.create(value);
            } catch (RuntimeException e) {
                // The text may hold a password, so it is not repeated.
                throw new IllegalArgumentException(
                        "uri is not a Redis URI (redis://host:port, rediss://, redis-sentinel://): "
                                + e.getClass().getSimpleName());
            }
        }

        /**
         * Threads and timers to share with the application's own Lettuce clients; they are left running on close.
         *
         * @param shared the resources
         * @return this
         */
        public Builder clientResources(ClientResources shared) {
            clientResources = shared;
            return this;
        }

        /**
         * Longest time that one call may take, with every attempt; 200 ms by default.
         *
         * @param timeout 10 ms to 1 minute
         * @return this
         * @throws IllegalArgumentException if it lies outside
         */
        public Builder commandTimeout(Duration timeout) {
            Bounds.millis("commandTimeout", timeout, MIN_TIMEOUT, MAX_TIMEOUT);
            commandTimeout = timeout;
            return this;
        }

        /**
         * First part of every key, {@code interlock} by default. Applications with different prefixes share nothing.
         *
         * @param prefix 1 to 64 letters, digits and the signs {@code _ . : -}
         * @return this
         * @throws IllegalArgumentException if it holds anything else
         */
        public Builder keyPrefix(String prefix) {
            keyPrefix = new Keys(prefix).prefix();
            return this;
        }

        /**
         * Most requests that may wait in this JVM for one key group before callers get {@link BackPressureException};
         * 65,536 by default.
         *
         * @param requests 1 to 10,000,000
         * @return this
         * @throws IllegalArgumentException if it lies outside
         */
        public Builder maxPending(int requests) {
            maxPending = (int) Bounds.range("maxPending", requests, 1, 10_000_000);
            return this;
        }

        /**
         * Whom to tell about every script call.
         *
         * @param told the listener
         * @return this
         */
        public Builder listener(InterlockListener told) {
            listener = told;
            return this;
        }

        /**
         * Connects.
         *
         * @return the Interlock
         * @throws NotExecutedException if no server answers
         */
        public Interlock build() {
            return new Interlock(Engine.connect(
                    uris,
                    clientResources,
                    new Engine.Settings(new Keys(keyPrefix), commandTimeout, maxPending, listener)));
        }
    }
}
