// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every sentinel of an address twice a second who is master: one that hangs, or is cut off, breaks no connection, so its
 * clients would wait for it for ever. The answer of the majority counts, or one sentinel cut off with an old master would
 * call clients back to it. Thread-safe.
 */
final class SentinelWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SentinelWatch.class);
    private static final long PERIOD_MILLIS = 500;
    /** An older answer does not count. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final RedisClient client;
    private final String masterId;
    private final List<Sentinel> sentinels = new ArrayList<>();
    private final Function<RedisURI, CompletionStage<?>> follow;
    private final RedisURI uri;
    private final ScheduledFuture<?> ticks;
    private final AtomicBoolean following = new AtomicBoolean();
    private volatile InetSocketAddress current;

    /**
     * Starts to watch.
     *
     * @param uri names sentinels
     * @param connected the master that was found first
     * @param follow connects to another; asked again until it succeeds
     */
    SentinelWatch(
            ClientResources resources,
            SslOptions ssl,
            RedisURI uri,
            InetSocketAddress connected,
            Function<RedisURI, CompletionStage<?>> follow) {
        client = RedisClient.create(resources);
        client.setOptions(LinkOptions.standalone(ssl));
        this.uri = uri;
        this.follow = follow;
        masterId = uri.getSentinelMasterId();
        current = connected;
        uri.getSentinels().forEach(address -> sentinels.add(new Sentinel(address)));
        ticks = resources
                .eventExecutorGroup()
                .scheduleWithFixedDelay(this::tick, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private record Answer(InetSocketAddress master, long atNanos) {}

    /** One sentinel and what it said last. */
    private final class Sentinel {
        private final RedisURI address;
        private @Nullable CompletableFuture<StatefulRedisSentinelConnection<String, String>> connection;
        private volatile @Nullable Answer answer;

        Sentinel(RedisURI address) {
            this.address = address;
        }

        void ask() {
            CompletableFuture<StatefulRedisSentinelConnection<String, String>> open = connection;
            if (open == null || open.isCompletedExceptionally()) {
                connection = client.connectSentinelAsync(StringCodec.UTF8, address);
            } else if (open.isDone()) {
                open.join().async().getMasterAddrByName(masterId).thenAccept(this::heard);
            }
        }

        private void heard(@Nullable SocketAddress master) {
            if (master instanceof InetSocketAddress named) {
                answer = new Answer(named, System.nanoTime());
                decide();
            }
        }
    }

    private void tick() {
        try {
            sentinels.forEach(Sentinel::ask);
        } catch (RuntimeException e) {
            log.warn("the sentinels could not be asked who is master; next try in {} ms", PERIOD_MILLIS, e);
        }
    }

    private void decide() {
        Optional<InetSocketAddress> elected = elected();
        if (elected.isPresent() && !same(elected.get(), current) && following.compareAndSet(false, true)) {
            InetSocketAddress master = elected.get();
            follow.apply(at(master)).whenComplete((done, error) -> {
                if (error == null) {
                    current = master;
                }
                following.set(false);
            });
        }
    }

    private Optional<InetSocketAddress> elected() {
        long now = System.nanoTime();
        Map<InetSocketAddress, Long> votes = new HashMap<>();
        for (Sentinel sentinel : sentinels) {
            Answer answer = sentinel.answer;
            if (answer != null && now - answer.atNanos < FRESH_NANOS) {
                votes.merge(answer.master, 1L, Long::sum);
            }
        }
        return votes.entrySet().stream()
                .filter(vote -> vote.getValue() > sentinels.size() / 2)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static boolean same(InetSocketAddress one, InetSocketAddress other) {
        return one.getPort() == other.getPort()
                && (one.equals(other) || host(one).equals(host(other)));
    }

    private static String host(InetSocketAddress address) {
        return address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
    }

    /** The same Redis, addressed at its master. */
    private RedisURI at(InetSocketAddress master) {
        RedisURI.Builder direct = RedisURI.builder()
                .withHost(master.getHostString())
                .withPort(master.getPort())
                .withSsl(uri)
                .withDatabase(uri.getDatabase())
                .withTimeout(uri.getTimeout());
        if (uri.getCredentialsProvider() != null) {
            direct.withAuthentication(uri.getCredentialsProvider());
        }
        return direct.build();
    }

    @Override
    public void close() {
        ticks.cancel(false);
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
