// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.Interlock;
import dev.interlock.lock.Lease;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The locks of one library, used as its manual says. */
interface LockPeer extends AutoCloseable {
    /** What the table calls it. */
    String name();

    /** Waits for a lock; what it returns gives it back. */
    Runnable acquire(String key) throws Exception;

    @Override
    void close();

    /** The libraries, by the names of the table. */
    enum Kind {
        RAW("Lettuce, SET NX and EVALSHA"),
        SHEDLOCK("ShedLock"),
        SPRING("Spring Integration"),
        SPRING_PUSH("Spring Integration, pub-sub"),
        REDISSON("Redisson"),
        REDISSON_FAIR("Redisson, fair"),
        INTERLOCK("Interlock");

        final String title;

        Kind(String title) {
            this.title = title;
        }

        LockPeer connect(int port) {
            return switch (this) {
                case RAW -> new Raw(port);
                case SHEDLOCK -> shedLock(port);
                case SPRING -> spring(title, port, RedisLockType.SPIN_LOCK);
                case SPRING_PUSH -> spring(title, port, RedisLockType.PUB_SUB_LOCK);
                case REDISSON -> redisson(title, port, false);
                case REDISSON_FAIR -> redisson(title, port, true);
                case INTERLOCK -> interlock(port);
            };
        }
    }

    /** A library that gives out objects of {@link Lock}. */
    record Locks(String name, Function<String, Lock> locks, Runnable end) implements LockPeer {
        @Override
        public Runnable acquire(String key) {
            Lock lock = locks.apply(key);
            lock.lock();
            return lock::unlock;
        }

        @Override
        public void close() {
            end.run();
        }
    }

    /** A library that is asked again and again. */
    record Polled(String name, Function<String, Optional<Runnable>> attempt, Runnable end) implements LockPeer {
        @Override
        public Runnable acquire(String key) {
            Optional<Runnable> held = attempt.apply(key);
            while (held.isEmpty()) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(500_000, 1_500_000));
                held = attempt.apply(key);
            }
            return held.get();
        }

        @Override
        public void close() {
            end.run();
        }
    }

    /** What tutorials show: no fence, no renewal, no owner record, no queue. */
    final class Raw implements LockPeer {
        private static final String DELETE_IF_MINE =
                "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
        private static final SetArgs FREE = SetArgs.Builder.nx().px(30_000);

        private final RawRedis redis;
        private final StatefulRedisConnection<String, String> connection;
        private final String sha;

        Raw(int port) {
            redis = new RawRedis(port, true);
            connection = redis.connectText();
            sha = connection.sync().scriptLoad(DELETE_IF_MINE);
        }

        @Override
        public String name() {
            return Kind.RAW.title;
        }

        @Override
        public Runnable acquire(String key) {
            String token = UUID.randomUUID().toString();
            while (connection.sync().set(key, token, FREE) == null) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(500_000, 1_500_000));
            }
            return () -> connection.sync().evalsha(sha, ScriptOutputType.INTEGER, new String[] {key}, token);
        }

        @Override
        public void close() {
            redis.close();
        }
    }

    private static LettuceConnectionFactory factory(int port) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", port);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private static LockPeer shedLock(int port) {
        LettuceConnectionFactory factory = factory(port);
        RedisLockProvider provider = new RedisLockProvider(factory);
        Duration atMost = Duration.ofSeconds(30);
        Function<String, Optional<Runnable>> attempt = key -> {
            Optional<SimpleLock> lock = provider.lock(new LockConfiguration(Instant.now(), key, atMost, Duration.ZERO));
            return lock.map(held -> held::unlock);
        };
        return new Polled(Kind.SHEDLOCK.title, attempt, factory::destroy);
    }

    private static LockPeer spring(String name, int port, RedisLockType type) {
        LettuceConnectionFactory factory = factory(port);
        RedisLockRegistry registry = new RedisLockRegistry(factory, "bench-" + type, 30_000);
        registry.setRedisLockType(type);
        return new Locks(name, registry::obtain, () -> {
            registry.destroy();
            factory.destroy();
        });
    }

    private static LockPeer redisson(String name, int port, boolean fair) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        RedissonClient client = Redisson.create(config);
        Function<String, Lock> locks = fair ? client::getFairLock : client::getLock;
        return new Locks(name, key -> locks.apply("redisson:" + fair + ':' + key), client::shutdown);
    }

    private static LockPeer interlock(int port) {
        Interlock interlock = Interlock.builder()
                .uri("redis://127.0.0.1:" + port)
                .commandTimeout(Duration.ofSeconds(30))
                .build();
        return new LockPeer() {
            @Override
            public String name() {
                return Kind.INTERLOCK.title;
            }

            @Override
            public Runnable acquire(String key) throws InterruptedException {
                Lease lease = interlock.lock(key).acquire(Duration.ofSeconds(60));
                return lease::release;
            }

            @Override
            public void close() {
                interlock.close();
            }
        };
    }
}
