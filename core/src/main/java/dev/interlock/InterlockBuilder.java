// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.Keys;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link Interlock}; each has a default. */
public final class InterlockBuilder {
    /** Default of {@link #commandTimeout}. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofMillis(200);
    /** Default of {@link #keyPrefix}. */
    public static final String DEFAULT_KEY_PREFIX = "interlock";
    /** Default of {@link #maxPending}. */
    public static final int DEFAULT_MAX_PENDING = 65_536;

    /** Default of {@link #scriptMode}. */
    public static final ScriptMode DEFAULT_SCRIPT_MODE = ScriptMode.EVALSHA;

    /** Longest time for a server that accepts a connection to greet. */
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(10);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

    private List<RedisURI> uris = List.of(RedisURI.create("redis://localhost:6379"));
    private SslOptions sslOptions = SslOptions.create();
    private @Nullable ClientResources clientResources;
    private Duration commandTimeout = DEFAULT_COMMAND_TIMEOUT;
    private String keyPrefix = DEFAULT_KEY_PREFIX;
    private int maxPending = DEFAULT_MAX_PENDING;
    private ScriptMode scriptMode = DEFAULT_SCRIPT_MODE;
    private InterlockListener listener = new InterlockListener() {};

    InterlockBuilder() {}

    /**
     * Where Redis is; {@code redis://localhost:6379} by default.
     *
     * @param values as in {@link Interlock#connect(String...)}
     * @return this
     * @throws IllegalArgumentException if there is none, or one is malformed
     */
    public InterlockBuilder uri(String... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("uri needs at least one Redis URI, for example redis://localhost:6379");
        }
        List<RedisURI> parsed = new ArrayList<>();
        for (String value : values) {
            parsed.add(parse(value));
        }
        uris = List.copyOf(parsed);
        return this;
    }

    /**
     * Where Redis is, for configurations that hold addresses and credentials apart.
     *
     * @param values one of a standalone server or of sentinels, or several nodes of one cluster; they are given over, and
     *     their time-outs are set
     * @return this
     * @throws IllegalArgumentException if there is none
     */
    public InterlockBuilder uri(Collection<RedisURI> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("uri needs at least one Redis URI");
        }
        uris = values.stream().map(InterlockBuilder::patient).toList();
        return this;
    }

    private static RedisURI patient(RedisURI uri) {
        uri.setTimeout(HANDSHAKE_TIMEOUT);
        return uri;
    }

    /**
     * Key stores, protocols and ciphers of encrypted connections; those of the JVM by default. Whether a connection is
     * encrypted is said by its URI.
     *
     * @param options the options
     * @return this
     */
    public InterlockBuilder sslOptions(SslOptions options) {
        sslOptions = options;
        return this;
    }

    private static RedisURI parse(String value) {
        try {
            // A # that is not encoded ends the address; what stands before it may be half a password.
            if (value.contains("#") && !value.startsWith("redis-sentinel:")) {
                throw new IllegalArgumentException("a # is not encoded as %23");
            }
            return patient(RedisURI.create(value));
        } catch (RuntimeException e) {
            // The text may hold a password, so it is not repeated, nor is a message that may repeat it.
            throw new IllegalArgumentException(
                    "uri is not a Redis URI: give one like redis://host:port, rediss:// or redis-sentinel://, with special"
                            + " signs of a password percent-encoded");
        }
    }

    /**
     * Threads and timers to share with the application's own Lettuce clients; they are left running on close.
     *
     * @param shared the resources
     * @return this
     */
    public InterlockBuilder clientResources(ClientResources shared) {
        clientResources = shared;
        return this;
    }

    /**
     * Longest time that one call may take, with every attempt; 200 ms by default.
     *
     * @param timeout 10 ms to 1 minute
     * @return this
     * @throws IllegalArgumentException if it lies outside
     */
    public InterlockBuilder commandTimeout(Duration timeout) {
        Bounds.millis("commandTimeout", timeout, MIN_TIMEOUT, MAX_TIMEOUT);
        commandTimeout = timeout;
        return this;
    }

    /**
     * First part of every key, {@code interlock} by default. Applications with different prefixes share nothing.
     *
     * @param prefix 1 to 64 letters, digits and the signs {@code _ . : -}
     * @return this
     * @throws IllegalArgumentException if it holds anything else
     */
    public InterlockBuilder keyPrefix(String prefix) {
        keyPrefix = new Keys(prefix).prefix();
        return this;
    }

    /**
     * Most requests that may wait in this JVM for one key group before callers get {@link BackPressureException};
     * 65,536 by default.
     *
     * @param requests 1 to 10,000,000
     * @return this
     * @throws IllegalArgumentException if it lies outside
     */
    public InterlockBuilder maxPending(int requests) {
        maxPending = (int) Bounds.range("maxPending", requests, 1, 10_000_000);
        return this;
    }

    /**
     * How Redis is made to know scripts; {@link ScriptMode#EVALSHA} by default.
     *
     * @param mode by digest or as functions
     * @return this
     */
    public InterlockBuilder scriptMode(ScriptMode mode) {
        scriptMode = Objects.requireNonNull(mode, "scriptMode must not be null");
        return this;
    }

    /**
     * Whom to tell about every script call.
     *
     * @param told the listener
     * @return this
     */
    public InterlockBuilder listener(InterlockListener told) {
        listener = told;
        return this;
    }

    /**
     * Connects.
     *
     * @return the Interlock
     * @throws NotExecutedException if no server answers
     */
    public Interlock build() {
        return new Interlock(Engine.connect(
                uris,
                sslOptions,
                clientResources,
                new Engine.Settings(new Keys(keyPrefix), commandTimeout, maxPending, scriptMode, listener)));
    }
}
