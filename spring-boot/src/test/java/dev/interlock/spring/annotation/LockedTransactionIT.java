// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.interlock.Interlock;
import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import dev.interlock.embedded.RedisTest;
import dev.interlock.lock.Lease;
import dev.interlock.lock.LeaseLostException;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The lock is outside of the transaction: released after the commit, and none is committed without it. */
@RedisTest
class LockedTransactionIT {
    private static final String NAME = "account:1";

    @Configuration
    @EnableTransactionManagement
    static class Database {
        @Bean
        JdbcTemplate jdbc() {
            return new JdbcTemplate(new DriverManagerDataSource(postgres.jdbcUrl()));
        }

        @Bean
        @Primary
        PlatformTransactionManager jdbcTransactions(JdbcTemplate jdbc) {
            return new JdbcTransactionManager(jdbc.getDataSource());
        }

        @Bean
        ConnectionFactory connections() {
            return ConnectionFactories.get("r2dbc:postgresql://postgres@127.0.0.1:" + postgres.port() + "/postgres");
        }

        @Bean
        R2dbcTransactionManager reactiveTransactions(ConnectionFactory connections) {
            return new R2dbcTransactionManager(connections);
        }
    }

    @Configuration
    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class WrongOrder {}

    static class Account {
        private final JdbcTemplate jdbc;
        private final DatabaseClient client;
        private final Interlock interlock;

        Account(JdbcTemplate jdbc, ConnectionFactory connections, Interlock interlock) {
            this.jdbc = jdbc;
            this.client = DatabaseClient.create(connections);
            this.interlock = interlock;
        }

        @Locked("account:#{#id}")
        @Transactional("jdbcTransactions")
        public void add(long id, boolean lose) {
            Long read = jdbc.queryForObject("select amount from account where id = ?", Long.class, id);
            jdbc.update("update account set amount = ? where id = ?", read + 1, id);
            if (lose) {
                lose(id);
            }
        }

        @Locked("account:#{#id}")
        public long addLocked(long id, @Nullable Lease lease) {
            jdbc.update("update account set amount = amount + 1 where id = ?", id);
            return lease.fence();
        }

        @Locked("account:#{#id}")
        @Transactional("reactiveTransactions")
        public Mono<Long> addReactively(long id, boolean lose) {
            return update(id).doOnNext(updated -> {
                if (lose) {
                    lose(id);
                }
            });
        }

        @Locked("account:#{#id}")
        @Transactional("reactiveTransactions")
        public Flux<Long> addOften(long id, int times) {
            return Flux.range(0, times).concatMap(i -> update(id));
        }

        @Locked("account:#{#id}")
        public Mono<Long> addLockedReactively(long id) {
            return update(id);
        }

        private Mono<Long> update(long id) {
            return client.sql("update account set amount = amount + 1 where id = $1")
                    .bind(0, id)
                    .fetch()
                    .rowsUpdated();
        }

        /** As an operator would take the lock away; returns when the holder could know. */
        private void lose(long id) {
            CountDownLatch gone = new CountDownLatch(1);
            interlock.lock("account:" + id).async().forceRelease().whenComplete((done, error) -> gone.countDown());
            try {
                assertThat(gone.await(5, TimeUnit.SECONDS)).isTrue();
                new CountDownLatch(1).await(500, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static PostgresServer postgres;
    private static ConfigurableApplicationContext context;
    private static Account account;
    private static Interlock interlock;
    private static JdbcTemplate jdbc;

    @BeforeAll
    static void start(RedisServer redis) {
        postgres = PostgresServer.start();
        context = Application.start(redis, Database.class, Account.class);
        account = context.getBean(Account.class);
        interlock = context.getBean(Interlock.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("create table account (id bigint primary key, amount bigint not null)");
    }

    @AfterAll
    static void stop() {
        context.close();
        postgres.close();
    }

    @BeforeEach
    void fresh() {
        jdbc.update("delete from account");
        jdbc.update("insert into account values (1, 0)");
    }

    private static long amount() {
        return jdbc.queryForObject("select amount from account where id = 1", Long.class);
    }

    private static boolean held() {
        return interlock.lock(NAME).owner().isPresent();
    }

    @Test
    void letsTheNextHolderSeeWhatWasCommitted() throws Exception {
        int threads = 4;
        int each = 10;
        Thread[] adders = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            adders[i] = new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    // It reads and then writes: a release before the commit would lose an update.
                    account.add(1, false);
                }
            });
            adders[i].start();
        }
        for (Thread adder : adders) {
            adder.join();
        }
        assertThat(amount()).isEqualTo(threads * each);
        assertThat(held()).isFalse();
    }

    @Test
    void rollsBackWhenTheLeaseIsLost() {
        assertThatThrownBy(() -> account.add(1, true)).isInstanceOf(LeaseLostException.class);
        assertThat(amount()).isZero();
    }

    @Test
    void rollsBackAReactiveTransactionWhenTheLeaseIsLost() {
        assertThatThrownBy(() -> account.addReactively(1, true).block()).isInstanceOf(LeaseLostException.class);
        assertThat(amount()).isZero();
        assertThat(account.addReactively(1, false).block()).isEqualTo(1);
        assertThat(amount()).isEqualTo(1);
        assertThat(account.addOften(1, 3).count().block()).isEqualTo(3);
        assertThat(amount()).isEqualTo(4);
        assertThat(held()).isFalse();
    }

    @Test
    void holdsItUntilTheEndOfATransactionThatHadBegunBefore() {
        TransactionTemplate outer = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        outer.executeWithoutResult(status -> {
            long fence = account.addLocked(1, null);
            assertThat(held()).isTrue();
            assertThat(account.addLocked(1, null)).isEqualTo(fence);
            account.add(1, false);
        });
        assertThat(amount()).isEqualTo(3);
        assertThat(held()).isFalse();

        assertThatThrownBy(() -> outer.executeWithoutResult(status -> {
                    account.addLocked(1, null);
                    ((Account) target()).lose(1);
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(amount()).isEqualTo(3);
    }

    @Test
    void holdsItUntilTheEndOfAReactiveTransactionThatHadBegunBefore() {
        TransactionalOperator outer = TransactionalOperator.create(context.getBean(R2dbcTransactionManager.class));
        Mono<Boolean> twice = account.addLockedReactively(1)
                .then(account.addLockedReactively(1))
                .then(interlock.lock(NAME).reactive().owner().hasElement());
        assertThat(outer.transactional(twice).block()).isTrue();
        assertThat(amount()).isEqualTo(2);
        await().atMost(Duration.ofSeconds(5)).until(() -> !held());

        Mono<Long> lost = account.addLockedReactively(1).doOnNext(updated -> ((Account) target()).lose(1));
        assertThatThrownBy(() -> outer.transactional(lost).block()).isInstanceOf(LeaseLostException.class);
        assertThat(amount()).isEqualTo(2);
    }

    private static Object target() {
        try {
            return ((org.springframework.aop.framework.Advised) account)
                    .getTargetSource()
                    .getTarget();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static class LockedInside {
        @Locked("x:#{#id}")
        @Transactional
        public void work(long id) {}
    }

    static class OnceInside {
        @Idempotent(key = "#{#id}")
        @Transactional
        public void work(long id) {}
    }

    static class LockedOnly {
        @Locked("x:#{#id}")
        public void work(long id) {}
    }

    @Test
    void refusesToStartWhereTheTransactionWouldBeOutside(RedisServer redis) {
        for (Class<?> bean : new Class<?>[] {LockedInside.class, OnceInside.class}) {
            assertThatThrownBy(() -> Application.start(redis, Database.class, WrongOrder.class, bean))
                    .rootCause()
                    .hasMessageContaining("would be inside the method's own transaction");
        }
        Application.start(redis, Database.class, WrongOrder.class, LockedOnly.class)
                .close();
    }
}
