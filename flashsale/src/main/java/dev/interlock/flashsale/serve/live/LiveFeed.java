// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Pictures once a second for as long as somebody looks, the same for all who do. Who cannot keep up misses some. Ends before the
 * web server stops, so that it need not wait for those who look.
 */
@Component
final class LiveFeed implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(LiveFeed.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** A thread of its own, because taking a picture blocks. */
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(LiveFeed::thread);

    private final Sinks.One<Boolean> ended = Sinks.one();
    private final Flux<LiveView> views;
    private volatile boolean running;

    LiveFeed(Sampler sampler) {
        views = Flux.interval(Duration.ZERO, EVERY, Schedulers.fromExecutorService(executor, "live"))
                .onBackpressureDrop()
                .concatMap(tick -> picture(sampler), 1)
                .takeUntilOther(ended.asMono())
                .publish(1)
                .refCount(1);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "flashsale-live");
        thread.setDaemon(true);
        return thread;
    }

    private static Mono<LiveView> picture(Sampler sampler) {
        return Mono.fromSupplier(sampler::take).onErrorResume(error -> {
            log.warn("a picture could not be taken; the next one comes: {}", error.toString());
            return Mono.empty();
        });
    }

    Flux<LiveView> views() {
        return views.onBackpressureLatest();
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        ended.tryEmitValue(true);
        executor.shutdown();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
