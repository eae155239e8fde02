// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.interlock.Interlock;
import dev.interlock.embedded.PostgresServer;
import dev.interlock.embedded.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;

/** Redis, PostgreSQL with the schema, and connections to both. */
final class Servers implements AutoCloseable {
    final RedisServer redis;
    final PostgresServer postgres;
    final HikariDataSource database;
    final Interlock interlock;
    final RedisCommands<String, String> commands;
    private final RedisClient client;

    Servers(RedisServer.Builder redisSettings) {
        redis = redisSettings.start();
        postgres = PostgresServer.start();
        database = dataSource(postgres.jdbcUrl() + "&socketTimeout=3&connectTimeout=2");
        LedgerSchema.migrate(database);
        interlock = connect(redis.uri());
        client = RedisClient.create(redis.uri());
        commands = client.connect().sync();
    }

    static Interlock connect(String uri) {
        // The machine may be busy: these tests are not about the time-out of Redis.
        return Interlock.builder()
                .uri(uri)
                .commandTimeout(Duration.ofSeconds(5))
                .build();
    }

    static HikariDataSource dataSource(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(1_000);
        config.setValidationTimeout(500);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    Sale sale() {
        return new Sale(interlock, database);
    }

    /** Lets writes wait, not reads. */
    void pauseWrites() {
        clientCommand("PAUSE", "60000", "WRITE");
    }

    void allowWrites() {
        clientCommand("UNPAUSE");
    }

    private void clientCommand(String... words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        for (String word : words) {
            args.add(word);
        }
        commands.dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), args);
    }

    @Override
    public void close() {
        client.shutdown();
        interlock.close();
        database.close();
        postgres.close();
        redis.close();
    }
}
