// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import dev.interlock.ScriptMode;
import dev.interlock.internal.Await;
import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.NodeQueries;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks one server for what {@link Checks} judges. What is refused is left out. */
final class Examination {
    private static final long LONGEST_MILLIS = 2_000;

    private final Engine engine;
    private final List<LuaScript> scripts;
    private final StatefulRedisConnection<byte[], byte[]> node;
    private final RedisAsyncCommands<byte[], byte[]> redis;

    Examination(Engine engine, List<LuaScript> scripts, StatefulRedisConnection<byte[], byte[]> node) {
        this.engine = engine;
        this.scripts = scripts;
        this.node = node;
        this.redis = node.async();
    }

    static String reason(Throwable error) {
        Throwable cause = Await.cause(error);
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    CompletionStage<List<Diagnosis>> diagnose() {
        return bounded(redis.ping())
                .handle((pong, error) -> error)
                .thenCompose(error -> error == null ? address().thenCompose(this::judge) : silent(error));
    }

    private CompletionStage<List<Diagnosis>> silent(Throwable error) {
        String reason = reason(error);
        if (!reason.startsWith("BUSY")) {
            return CompletableFuture.completedFuture(List.of(Diagnosis.fail(
                    "a master",
                    "connection",
                    "it does not answer: " + reason,
                    "check that it runs and can be reached")));
        }
        return asked(NodeQueries.runningScript(node), running -> running)
                .thenApply(running -> List.of(Diagnosis.fail(
                        "a master",
                        "busy",
                        "it runs a script for longer than its busy threshold: "
                                + running.orElse("one by EVAL or EVALSHA, of which Redis does not tell the name"),
                        "wait for it, or end it with SCRIPT KILL or FUNCTION KILL: Redis refuses that once the script has"
                                + " written")));
    }

    private CompletionStage<List<Diagnosis>> judge(String address) {
        CompletableFuture<Optional<Map<String, String>>> info = asked(redis.info("everything"), Examination::fields);
        CompletableFuture<Optional<Map<String, String>>> config =
                asked(redis.configGet(Checks.SETTINGS.toArray(String[]::new)), Examination::copy);
        CompletableFuture<Optional<String>> user = asked(redis.aclWhoami(), name -> name);
        CompletableFuture<Optional<Map<String, String>>> cluster = engine.cluster()
                ? asked(redis.clusterInfo(), Examination::fields)
                : CompletableFuture.completedFuture(Optional.empty());
        long before = System.currentTimeMillis();
        CompletableFuture<Optional<Long>> clock = asked(redis.time(), time -> offset(time, before));
        CompletableFuture<Optional<Integer>> missing = missing();
        CompletableFuture<Optional<String>> tracking = tracking();
        return CompletableFuture.allOf(info, config, user, cluster, clock, missing, tracking)
                .thenApply(done -> Checks.of(new NodeFacts(
                        address,
                        info.join().orElse(Map.of()),
                        config.join(),
                        user.join(),
                        cluster.join().orElse(Map.of()),
                        clock.join(),
                        missing.join(),
                        tracking.join())));
    }

    private CompletionStage<String> address() {
        return asked(NodeQueries.address(node), address -> address).thenApply(known -> known.orElse("a master"));
    }

    private CompletableFuture<Optional<Integer>> missing() {
        if (engine.settings().scriptMode() == ScriptMode.FUNCTION) {
            return asked(NodeQueries.libraries(node, LuaScript.FUNCTION_PREFIX), libraries -> (int) scripts.stream()
                    .filter(script -> !libraries.contains(script.function()))
                    .count());
        }
        String[] digests = scripts.stream().map(LuaScript::sha1).toArray(String[]::new);
        return asked(redis.scriptExists(digests), there ->
                (int) there.stream().filter(loaded -> !loaded).count());
    }

    /** Of a prefix that no key has, so that it costs nothing while it is on. */
    private CompletableFuture<Optional<String>> tracking() {
        TrackingArgs probe =
                TrackingArgs.Builder.enabled().bcast().prefixes(engine.keys().prefix() + ":doctor:");
        return bounded(redis.clientTracking(probe))
                .thenCompose(ok -> bounded(redis.clientTracking(TrackingArgs.Builder.enabled(false))))
                .handle((ok, error) -> error == null || reason(error).contains("overlap")
                        ? Optional.empty()
                        : Optional.of(reason(error)));
    }

    private static long offset(List<byte[]> time, long before) {
        long now = (before + System.currentTimeMillis()) / 2;
        return Long.parseLong(text(time.get(0))) * 1_000 + Long.parseLong(text(time.get(1))) / 1_000 - now;
    }

    private static Map<String, String> copy(Map<?, ?> settings) {
        Map<String, String> copy = new HashMap<>();
        settings.forEach((name, value) -> copy.put(text(name), text(value)));
        return copy;
    }

    private static Map<String, String> fields(String lines) {
        Map<String, String> fields = new HashMap<>();
        lines.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return fields;
    }

    private static String text(@Nullable Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(value);
    }

    private static <T> CompletableFuture<T> bounded(CompletionStage<T> asked) {
        return asked.thenApply(answer -> answer).toCompletableFuture().orTimeout(LONGEST_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static <T, R> CompletableFuture<Optional<R>> asked(CompletionStage<T> asked, Function<T, R> read) {
        return bounded(asked)
                .handle((answer, error) -> error == null ? Optional.of(read.apply(answer)) : Optional.empty());
    }
}
