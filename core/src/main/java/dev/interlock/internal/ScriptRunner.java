// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.CrossSlotException;
import dev.interlock.InterlockListener;
import io.lettuce.core.cluster.SlotHash;
import io.netty.util.Timer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts: by EVALSHA or FCALL first, loaded on the node that lacks one, never by plain EVAL (a script cached by EVAL
 * may be evicted, a loaded one is not). Every script used once is loaded again on every connection that is made, so a
 * restart of Redis costs no call. Thread-safe.
 */
public final class ScriptRunner {
    /** Who makes up scripts as they go has them loaded by the calls that need them. */
    private static final int MAX_KNOWN = 1_000;

    private final RedisLink link;
    private final ScriptForm form;
    private final Timer timer;
    private final long timeoutMillis;
    private final InterlockListener listener;
    /** Loaded again at every connection. */
    private final Set<LuaScript> known = ConcurrentHashMap.newKeySet();

    private final Set<LuaScript> calledFunctions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    ScriptRunner(RedisLink link, Timer timer, Engine.Settings settings, InterlockListener listener) {
        this.link = link;
        this.form = ScriptForm.of(settings.scriptMode());
        this.timer = timer;
        this.timeoutMillis = settings.commandTimeout().toMillis();
        this.listener = listener;
        link.onConnected(() -> known.forEach(this::loadEverywhere));
    }

    /**
     * Has scripts loaded on every master, now and after each reconnect. Not needed for correctness.
     *
     * @param scripts the scripts
     */
    public void prepare(LuaScript... scripts) {
        for (LuaScript script : scripts) {
            if (form == ScriptForm.DIGEST && known.add(script)) {
                loadEverywhere(script);
            }
        }
    }

    /**
     * Runs a script with the default time-out.
     *
     * @param script the script
     * @param keys at least one key, all of one slot
     * @param args the arguments
     * @return what Redis answered: {@code byte[]}, {@link Long}, null, or a list of these; fails with an
     *     {@link dev.interlock.InterlockException}
     * @throws CrossSlotException before anything is sent, if the keys belong to different slots
     */
    public CompletableFuture<@Nullable Object> run(LuaScript script, byte[][] keys, byte[]... args) {
        return run(script, timeoutMillis, keys, args);
    }

    /**
     * Runs one of Interlock's own scripts with the default time-out and decodes its reply.
     *
     * @param script the script
     * @param decode what the reply means; what it throws fails the future
     * @param keys as {@link #run(LuaScript, byte[][], byte[]...)}
     * @param args the arguments
     * @param <T> what it means
     * @return the decoded reply
     */
    public <T> CompletableFuture<T> run(LuaScript script, Function<Replies, T> decode, byte[][] keys, byte[]... args) {
        return run(script, keys, args).thenApply(reply -> decode.apply(Replies.of(script, reply)));
    }

    /**
     * Runs a script with a time-out of its own.
     *
     * @param script the script
     * @param timeoutMillis longest time to wait for the answer, in milliseconds
     * @param keys at least one key, all of one slot
     * @param args the arguments
     * @return as {@link #run(LuaScript, byte[][], byte[]...)}
     */
    public CompletableFuture<@Nullable Object> run(
            LuaScript script, long timeoutMillis, byte[][] keys, byte[]... args) {
        if (closed) {
            throw new IllegalStateException("this Interlock is closed");
        }
        if (form == ScriptForm.DIGEST) {
            remember(script);
        } else if (calledFunctions.size() < MAX_KNOWN) {
            calledFunctions.add(script);
        }
        ScriptCall call = new ScriptCall(this, script, keys, args, timeoutMillis);
        call.send();
        return call;
    }

    /**
     * Checks the keys of a call without sending anything.
     *
     * @param script the script
     * @param keys its keys
     * @throws CrossSlotException if they belong to different slots
     * @throws IllegalArgumentException if there are none
     */
    public void checkKeys(LuaScript script, byte[][] keys) {
        slotOf(script, keys);
    }

    /**
     * Loads scripts as functions on every master, whatever the form in which this runner calls them.
     *
     * @param scripts the scripts
     * @return done when all masters have all of them
     */
    public CompletableFuture<Void> deployFunctions(Collection<LuaScript> scripts) {
        return CompletableFuture.allOf(scripts.stream()
                .map(script -> loadEverywhere(ScriptForm.FUNCTION, script).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    int slotOf(LuaScript script, byte[][] keys) {
        if (keys.length == 0) {
            throw new IllegalArgumentException(
                    "script " + script.name() + " needs at least one key: a cluster chooses the" + " node by it");
        }
        // Only on a standalone server, and only Interlock's own scripts batch requests for keys of different slots.
        if (script.own() && !link.cluster()) {
            return SlotHash.getSlot(keys[0]);
        }
        try {
            return Slots.common("script " + script.name(), keys);
        } catch (CrossSlotException e) {
            listener.crossSlotRefused(script.name());
            throw e;
        }
    }

    private void remember(LuaScript script) {
        if (known.size() < MAX_KNOWN) {
            known.add(script);
        }
    }

    /**
     * Loads a script on the master of a slot, or on all masters while the topology may be out of date. Of functions only
     * those are remembered that were not deployed: else a user who may not load would try at every connection.
     */
    CompletionStage<?> load(LuaScript script, int slot, boolean everywhere) {
        CompletionStage<?> load = loadNow(script, slot, everywhere);
        return load.thenRun(() -> remember(script));
    }

    private CompletionStage<?> loadNow(LuaScript script, int slot, boolean everywhere) {
        return everywhere ? loadEverywhere(script) : link.master(slot).thenCompose(node -> form.load(script, node));
    }

    private CompletionStage<?> loadEverywhere(LuaScript script) {
        return loadEverywhere(form, script);
    }

    private CompletionStage<?> loadEverywhere(ScriptForm form, LuaScript script) {
        List<CompletableFuture<?>> loads = link.masters().stream()
                .<CompletableFuture<?>>map(master ->
                        master.thenCompose(node -> form.load(script, node)).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(loads.toArray(CompletableFuture[]::new));
    }

    /**
     * The scripts that were used or prepared.
     *
     * @return the scripts, at most about 2,000
     */
    public Set<LuaScript> known() {
        Set<LuaScript> all = new HashSet<>(known);
        all.addAll(calledFunctions);
        return all;
    }

    /** Refuses further calls. */
    void close() {
        closed = true;
    }

    ScriptForm form() {
        return form;
    }

    RedisLink link() {
        return link;
    }

    Timer timer() {
        return timer;
    }

    InterlockListener listener() {
        return listener;
    }
}
