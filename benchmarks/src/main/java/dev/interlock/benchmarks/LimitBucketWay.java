// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Bucket4j on Lettuce, plain or with its batching optimisation; the proxies of the buckets are kept, as it advises. */
final class LimitBucketWay implements LimitWay {
    private final RawRedis redis;
    private final BucketProxy[] buckets;
    private final AsyncBucketProxy[] asyncBuckets;
    private final boolean batching;

    LimitBucketWay(int port, Users users, boolean batching) {
        this.batching = batching;
        redis = new RawRedis(port, false);
        ProxyManager<byte[]> manager = Bucket4jLettuce.casBasedBuilder(redis.connect())
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(10)))
                .build();
        buckets = new BucketProxy[users.count()];
        asyncBuckets = new AsyncBucketProxy[users.count()];
        for (int user = 0; user < users.count(); user++) {
            BucketConfiguration configuration = users.scarce().test(user) ? scarce() : plenty();
            byte[] key = RawRedis.bytes("bucket" + batching + ":{" + Users.key(user) + "}");
            buckets[user] = manager.builder()
                    .withOptimization(batching ? Optimizations.batching() : Optimization.NONE_OPTIMIZED)
                    .build(key, () -> configuration);
            asyncBuckets[user] = manager.asAsync()
                    .builder()
                    .withOptimization(batching ? Optimizations.batching() : Optimization.NONE_OPTIMIZED)
                    .build(key, () -> CompletableFuture.completedFuture(configuration));
        }
    }

    static BucketConfiguration plenty() {
        return BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(Users.PLENTY).refillGreedy(Users.PLENTY, Duration.ofSeconds(1)))
                .build();
    }

    private static BucketConfiguration scarce() {
        return BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(1).refillGreedy(1, Duration.ofDays(1)))
                .build();
    }

    @Override
    public String name() {
        return batching ? "Bucket4j with batching" : "Bucket4j";
    }

    @Override
    public boolean take(int user) {
        return buckets[user].tryConsume(1);
    }

    @Override
    public CompletionStage<Boolean> takeAsync(int user) {
        return asyncBuckets[user].tryConsume(1);
    }

    @Override
    public void close() {
        redis.close();
    }
}
