// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.storage;

import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The database as requests use it: each call runs away from the event loop, on a virtual thread where the JDK has them, else
 * on one of a few threads with a bounded queue before them. Thread-safe; closed by the service.
 */
public final class Database implements AutoCloseable {
    private static final int THREADS = 16;
    private static final int MAX_QUEUED = 2_000;
    private static final int IDLE_SECONDS = 30;

    private final DataSource source;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final ExecutorService executor;
    private final Scheduler scheduler;

    Database(DataSource source) {
        this.source = source;
        jdbc = JdbcClient.create(source);
        transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        executor = executor();
        scheduler = Schedulers.fromExecutorService(executor, "database");
    }

    /** Virtual threads exist from JDK 21 on; this is compiled for 17. */
    private static ExecutorService executor() {
        try {
            Object virtual = Executors.class
                    .getMethod("newVirtualThreadPerTaskExecutor")
                    .invoke(null);
            return (ExecutorService) virtual;
        } catch (ReflectiveOperationException e) {
            return platformThreads();
        }
    }

    private static ExecutorService platformThreads() {
        AtomicLong number = new AtomicLong();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_QUEUED),
                task -> {
                    Thread thread =
                            new Thread(task, String.format(Locale.ROOT, "database-%d", number.incrementAndGet()));
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * Where the connections of requests come from.
     *
     * @return the data source
     */
    public DataSource source() {
        return source;
    }

    /**
     * Statements, for use inside {@link #call} and {@link #transaction} or on a thread of one's own.
     *
     * @return the client
     */
    public JdbcClient jdbc() {
        return jdbc;
    }

    /**
     * Does blocking work away from the event loop.
     *
     * @param work what to do; an empty Mono if it returns null
     * @param <T> type of its result
     * @return its result; nothing is done before subscription
     */
    public <T> Mono<T> call(Supplier<? extends T> work) {
        return Mono.<T>fromSupplier(work).subscribeOn(scheduler);
    }

    /**
     * Does blocking work in one transaction, away from the event loop.
     *
     * @param work what to do; if it throws, nothing is changed
     * @param <T> type of its result
     * @return its result; nothing is done before subscription
     */
    public <T> Mono<T> transaction(Supplier<? extends T> work) {
        return call(() -> inTransaction(work));
    }

    /**
     * Does work in one transaction on the calling thread.
     *
     * @param work what to do; if it throws, nothing is changed
     * @param <T> type of its result
     * @return its result
     */
    public <T> T inTransaction(Supplier<? extends T> work) {
        T result = transactions.execute(status -> work.get());
        if (result == null) {
            throw new IllegalStateException("work in a transaction must have a result");
        }
        return result;
    }

    @Override
    public void close() {
        scheduler.dispose();
        executor.shutdown();
    }
}
