// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.InterlockListener;
import dev.interlock.NotExecutedException;
import dev.interlock.ScriptMode;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runtime resources that all primitives of one Interlock share. Thread-safe; closed by the Interlock. */
public final class Engine implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Engine.class);
    private static final long TICK_MILLIS = 5;

    private final Settings settings;
    private final Executor executor;
    private final Runnable release;
    private final Timer timer;
    private final RedisLink link;
    private final ScriptRunner scripts;
    private final Tracking tracking;
    private final InterlockListener listener;
    private final Telling telling;
    private final WeakCache<Object> shared = new WeakCache<>();

    /**
     * Behaviour, the same for the life of an Interlock.
     *
     * @param keys builds key names
     * @param commandTimeout longest time for one call, with all its attempts
     * @param maxPending most requests that wait in this JVM for one key group
     * @param scriptMode how Redis is made to know scripts
     * @param listener told about every call
     */
    public record Settings(
            Keys keys, Duration commandTimeout, int maxPending, ScriptMode scriptMode, InterlockListener listener) {}

    /**
     * Connects.
     *
     * @param uris where Redis is: one of a standalone server or sentinels, or several nodes of a cluster
     * @param ssl key stores and protocols of encrypted connections
     * @param shared client resources of the application, or null for own ones
     * @param settings behaviour
     * @return the engine
     * @throws NotExecutedException if no server answers
     */
    public static Engine connect(
            List<RedisURI> uris, SslOptions ssl, @Nullable ClientResources shared, Settings settings) {
        ClientResources resources = LinkOptions.resources(shared);
        Runnable release = () -> resources.shutdown(0, 2, TimeUnit.SECONDS);
        try {
            return new Engine(settings, resources.eventExecutorGroup(), release, openLink(resources, uris, ssl));
        } catch (RedisException e) {
            release.run();
            throw new NotExecutedException(
                    "cannot connect to Redis at " + uris + ": " + deepest(e)
                            + "; check the address and that the server runs",
                    e);
        }
    }

    private static RedisLink openLink(ClientResources resources, List<RedisURI> uris, SslOptions ssl) {
        if (uris.size() > 1) {
            return new ClusterLink(resources, uris, ssl);
        }
        StandaloneLink standalone = new StandaloneLink(resources, uris.get(0), ssl);
        if (!standalone.isClusterNode()) {
            return standalone;
        }
        standalone.close();
        return new ClusterLink(resources, uris, ssl);
    }

    private static @Nullable String deepest(Throwable error) {
        Throwable inner = error;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner.getMessage();
    }

    private Engine(Settings settings, Executor executor, Runnable release, RedisLink link) {
        this.settings = settings;
        this.executor = executor;
        this.release = release;
        this.link = link;
        listener = new SafeListener(settings.listener());
        telling = new Telling(settings.listener(), listener);
        HashedWheelTimer wheel = new HashedWheelTimer(
                new DefaultThreadFactory("interlock-timer", true), TICK_MILLIS, TimeUnit.MILLISECONDS);
        // Else the first call would start it, and that forgets an interrupt of the caller.
        wheel.start();
        timer = wheel;
        scripts = new ScriptRunner(link, timer, settings, listener);
        tracking = new Tracking(link, executor);
    }

    /**
     * Behaviour.
     *
     * @return the settings
     */
    public Settings settings() {
        return settings;
    }

    /**
     * Builds key names.
     *
     * @return the keys
     */
    public Keys keys() {
        return settings.keys();
    }

    /**
     * Whether Redis is a cluster, where one script call serves one slot only.
     *
     * @return true for a cluster of any size
     */
    public boolean cluster() {
        return link.cluster();
    }

    /**
     * Runs scripts.
     *
     * @return the runner
     */
    public ScriptRunner scripts() {
        return scripts;
    }

    /**
     * Watches keys.
     *
     * @return the tracking
     */
    public Tracking tracking() {
        return tracking;
    }

    /**
     * Schedules, to 5 ms; its tasks must not block.
     *
     * @return the timer
     */
    public Timer timer() {
        return timer;
    }

    /**
     * Whom to tell; what it throws is logged and dropped.
     *
     * @return the listener
     */
    public InterlockListener listener() {
        return listener;
    }

    /**
     * Tells that listener of operations.
     *
     * @return the telling
     */
    public Telling telling() {
        return telling;
    }

    /**
     * Tells which keys may share a script call.
     *
     * @param key makes a key, if it matters
     * @return its slot in a cluster, always 0 on a standalone server
     */
    public int slotOf(Supplier<byte[]> key) {
        return link.cluster() ? SlotHash.getSlot(key.get()) : 0;
    }

    /**
     * One object per name for as long as somebody uses it.
     *
     * @param type its type
     * @param name its name among the objects of the type
     * @param make makes it if nobody holds one
     * @param <T> its type
     * @return the object
     */
    public <T> T shared(Class<T> type, String name, Supplier<T> make) {
        return type.cast(shared.get(type.getName() + ' ' + name, ignored -> make.get()));
    }

    /**
     * The shared objects of a type.
     *
     * @param type the type
     * @param <T> the type
     * @return those that somebody still uses, or that were not collected yet
     */
    public <T> List<T> shared(Class<T> type) {
        return shared.values().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * Runs what must not run on the caller's stack; its tasks must not block.
     *
     * @return the executor, of I/O threads
     */
    public Executor executor() {
        return executor;
    }

    /**
     * Tells which master serves a key.
     *
     * @param key the key
     * @return a name, the same for all keys of the master
     */
    public String nodeOf(byte[] key) {
        return link.nodeOf(SlotHash.getSlot(key));
    }

    /**
     * Opens a connection of its own to the node of a key. The caller closes it.
     *
     * @param key any key of the slot
     * @return the connection
     */
    public CompletionStage<StatefulRedisConnection<byte[], byte[]>> openConnection(byte[] key) {
        return link.open(SlotHash.getSlot(key)).thenApply(opened -> opened);
    }

    /**
     * The shared connection to the node of a key, for plain commands.
     *
     * @param key any key of the slot
     * @return the connection
     */
    public CompletionStage<StatefulRedisConnection<byte[], byte[]>> connection(byte[] key) {
        return link.master(SlotHash.getSlot(key));
    }

    /**
     * The shared connections to all masters.
     *
     * @return one for each master
     */
    public List<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> masters() {
        return link.masters();
    }

    /** Calls in flight end now, by the same steps as at their deadlines. */
    @Override
    public void close() {
        scripts.close();
        tracking.close();
        link.close();
        timer.stop().forEach(Engine::runNow);
        release.run();
    }

    private static void runNow(Timeout timeout) {
        try {
            timeout.task().run(timeout);
        } catch (Exception e) {
            log.debug("a task of a closed Interlock failed", e);
        }
    }
}
