// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a script as a user who may touch the declared keys only; see {@link ScriptAssert}. */
final class DeclaredKeysRun {
    /** What the script is called with. */
    record Call(List<String> keys, List<String> args) {}

    /** Everything a script does, without what looks at or changes the whole server. */
    private static final List<String> RIGHTS =
            List.of("+@all", "-@admin", "-@dangerous", "+sort", "+sort_ro", "+restore", "-scan", "-randomkey");

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** More than the server keeps by default (acllog-max-len). */
    private static final int LOG_ENTRIES = 1_000;

    private DeclaredKeysRun() {}

    /** @throws AssertionError naming what was refused */
    static void check(String name, String source, String redisUri, Call call) {
        RedisURI uri = RedisURI.create(redisUri);
        uri.setTimeout(TIMEOUT);
        RedisClient client = RedisClient.create();
        try (StatefulRedisConnection<String, String> admin = client.connect(uri)) {
            String user = "script-assert-" + UUID.randomUUID();
            String password = UUID.randomUUID().toString();
            try {
                createUser(admin.sync(), user, password, call.keys());
                RedisURI restricted = RedisURI.builder(uri)
                        .withAuthentication(user, password.toCharArray())
                        .build();
                String failure = run(client, restricted, source, call);
                String refused = refused(admin.sync(), user);
                if (!refused.isEmpty()) {
                    throw new AssertionError("script " + name + " touched what it does not declare: " + refused
                            + "; KEYS are " + call.keys());
                }
                if (failure != null) {
                    throw new AssertionError("script " + name + " failed: " + failure);
                }
            } finally {
                admin.sync().aclDeluser(user);
            }
        } catch (RedisException e) {
            throw new IllegalStateException("no check of declared keys at " + uri + ": " + e.getMessage(), e);
        } finally {
            client.shutdown(Duration.ZERO, TIMEOUT);
        }
    }

    private static void createUser(
            RedisCommands<String, String> admin, String user, String password, List<String> keys) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        args.add("SETUSER").addValue(user);
        Stream<String> patterns = keys.stream().map(key -> "~" + pattern(key));
        Stream.of(Stream.of("reset", "on", ">" + password, "&*"), patterns, RIGHTS.stream())
                .flatMap(rules -> rules)
                .forEach(args::addValue);
        admin.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
    }

    /** The pattern that matches this key only. Redis takes no space in one: any one byte may stand there. */
    static String pattern(String key) {
        return key.replaceAll("[\\\\*?\\[\\]]", "\\\\$0").replaceAll("[\\s\\x00]", "?");
    }

    /** Runs the script. Null if it went well, else the error. */
    private static @Nullable String run(RedisClient client, RedisURI uri, String source, Call call) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        args.addValue(source).add(call.keys().size()).addKeys(call.keys()).addValues(call.args());
        try (StatefulRedisConnection<String, String> connection = client.connect(uri)) {
            connection.sync().dispatch(CommandType.EVAL, new IgnoredReply(), args);
            return null;
        } catch (RedisCommandExecutionException e) {
            return e.getMessage();
        }
    }

    /** What the server refused to this user, as its log of refusals says; empty if nothing. */
    private static String refused(RedisCommands<String, String> admin, String user) {
        return admin.aclLog(LOG_ENTRIES).stream()
                .filter(entry -> user.equals(entry.get("username")))
                .map(entry -> entry.get("reason") + " " + entry.get("object"))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** Takes a reply of any shape. */
    private static final class IgnoredReply extends CommandOutput<String, String, String> {
        IgnoredReply() {
            super(StringCodec.UTF8, "");
        }

        @Override
        public void set(@Nullable ByteBuffer bytes) {}

        @Override
        public void setSingle(ByteBuffer bytes) {}

        @Override
        public void setBigNumber(ByteBuffer bytes) {}

        @Override
        public void set(long integer) {}

        @Override
        public void set(double number) {}

        @Override
        public void set(boolean value) {}
    }
}
