// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.NotExecutedException;
import dev.interlock.internal.Engine;
import dev.interlock.internal.Keys;
import dev.interlock.internal.Names;
import dev.interlock.internal.Telling;
import dev.interlock.internal.WeakCache;
import io.netty.util.Timeout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all leases of one Interlock share: renewal, wake-ups, the threads that tell of losses. Made and closed by
 * {@link dev.interlock.Interlock}; nothing here is for its users. Thread-safe.
 */
public final class Leases implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Leases.class);
    private static final int CALLBACK_THREADS = 4;
    private static final int CALLBACK_IDLE_SECONDS = 5;

    private final Engine engine;
    private final Tokens tokens = new Tokens();
    private final String channel;
    private final LockLane lane;
    private final Renewals renewals;
    private final ExecutorService callbacks;
    private final WeakCache<LockQueue> queues = new WeakCache<>();
    /** By the token that a push names. */
    private final Map<String, LockQueue> claims = new ConcurrentHashMap<>();

    private final Map<String, Hold> holds = new ConcurrentHashMap<>();
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private Leases(Engine engine, String application) {
        this.engine = engine;
        channel = engine.keys().prefix() + ":lock:push:" + tokens.next();
        lane = new LockLane(
                engine,
                channel
                        + '\t'
                        + application
                        + '\t'
                        + host()
                        + '\t'
                        + ProcessHandle.current().pid());
        renewals = new Renewals(engine);
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                CALLBACK_THREADS,
                CALLBACK_THREADS,
                CALLBACK_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Leases::callbackThread);
        threads.allowCoreThreadTimeOut(true);
        callbacks = threads;
    }

    /**
     * Made by {@link dev.interlock.Interlock}.
     *
     * @param engine runtime resources
     * @param application what the application calls itself, or empty
     * @return what its leases share
     */
    public static Leases create(Engine engine, String application) {
        return new Leases(engine, application);
    }

    /**
     * A lock.
     *
     * @param name name of the lock
     * @param options how it is taken and kept
     * @return the lock; nothing is sent
     * @throws IllegalArgumentException if the name breaks a rule
     */
    public DistributedLock lock(String name, LockOptions options) {
        Names.name("lock", name);
        return lock("lock", name, options);
    }

    /** A lock whose keys are those of another primitive. */
    DistributedLock lock(String primitive, String name, LockOptions options) {
        return new BlockingLock(new LockCalls(queue(primitive, name, options), options));
    }

    LockQueue queue(String primitive, String name, LockOptions options) {
        Keys keys = options.keyPrefix().isEmpty() ? engine.keys() : new Keys(options.keyPrefix());
        return queues.get(
                keys.prefix() + ' ' + primitive + ' ' + name,
                id -> new LockQueue(this, new LockKeys(keys, primitive, name)));
    }

    /** A lock that shares the slot of its group. No name has a control character, so no two cache keys are alike. */
    LockQueue groupQueue(String group, String name, LockOptions options) {
        Keys keys = options.keyPrefix().isEmpty() ? engine.keys() : new Keys(options.keyPrefix());
        return queues.get(
                keys.prefix() + " lockgroup " + group + '\n' + name,
                id -> new LockQueue(this, new LockKeys(keys, "lockgroup", group, name)));
    }

    private static Thread callbackThread(Runnable task) {
        Thread thread = new Thread(task, "interlock-lost");
        thread.setDaemon(true);
        return thread;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "";
        }
    }

    String newToken() {
        return tokens.next();
    }

    Engine engine() {
        return engine;
    }

    Telling telling() {
        return engine.telling();
    }

    /** How long one attempt may take: its call gives up before, unless many others are ahead of it. */
    long patienceMillis() {
        return engine.settings().commandTimeout().toMillis() + 50;
    }

    LockLane lane() {
        return lane;
    }

    Renewals renewals() {
        return renewals;
    }

    /** Cares for a hold until {@link #forget}. */
    void keep(Hold hold) {
        holds.put(hold.token, hold);
        renewals.add(hold);
    }

    void forget(Hold hold) {
        holds.remove(hold.token, hold);
    }

    /** The hold of a token, if it is in this JVM. */
    @Nullable
    Hold hold(String token) {
        return holds.get(token);
    }

    /** Has pushes for a claim delivered until {@link #stopListening}. */
    void listen(LockKeys keys, String token, LockQueue queue) {
        claims.put(token, queue);
        engine.tracking().listen(keys.lock, channel, this::pushed);
    }

    void stopListening(String token) {
        claims.remove(token);
    }

    /** "g TAB token TAB fence TAB somebody waits": the token owns its lock; "w TAB token": somebody waits for it. */
    private void pushed(byte[] message) {
        try {
            String[] parts = new String(message, StandardCharsets.UTF_8).split("\t", -1);
            if (parts[0].equals("g") && parts.length == 4) {
                LockQueue queue = claims.get(parts[1]);
                if (queue != null) {
                    queue.handedOver(parts[1], Long.parseLong(parts[2]), parts[3].equals("1"));
                }
            } else if (parts[0].equals("w") && parts.length == 2) {
                Hold hold = holds.get(parts[1]);
                if (hold != null) {
                    hold.keeper.renewed(hold, true);
                }
            }
        } catch (RuntimeException e) {
            log.warn("a push could not be used; the waiter will look for himself", e);
        }
    }

    /** Runs a short task on the timer's thread; never, once closed. */
    @Nullable
    Timeout later(Runnable task, long millis) {
        try {
            return closed ? null : engine.timer().newTimeout(timeout -> task.run(), millis, TimeUnit.MILLISECONDS);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    /** Runs a user's callback away from the threads that serve everybody. */
    void call(Runnable callback) {
        try {
            callbacks.execute(() -> {
                try {
                    callback.run();
                } catch (RuntimeException e) {
                    log.warn("a callback for a lost lease failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            log.warn("a callback for a lost lease came after the Interlock was closed and was not run");
        }
    }

    /** Counts a caller in; false if the Interlock is closed, which has failed the caller then. */
    boolean enter(Waiter waiter) {
        waiters.add(waiter);
        if (closed) {
            fail(waiter);
            return false;
        }
        return true;
    }

    void leave(Waiter waiter) {
        waiters.remove(waiter);
    }

    private static void fail(Waiter waiter) {
        waiter.completeExceptionally(new NotExecutedException("the Interlock was closed", null));
    }

    /** Ends all waits with an exception and tells the holders of leases that these are not renewed any more. */
    @Override
    public void close() {
        closed = true;
        waiters.forEach(Leases::fail);
        renewals.close();
        callbacks.shutdown();
    }
}
