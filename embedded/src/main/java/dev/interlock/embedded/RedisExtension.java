// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit extension that runs one {@link RedisServer} per test class, shared with its nested classes and closed after it.
 *
 * <p>Parameters of type {@link RedisServer} get it. For other settings than the default register it in a static field:
 * {@code @RegisterExtension static final RedisExtension REDIS = new RedisExtension(RedisServer.builder().appendOnly())}.
 * Tests share the data, so each cleans up or uses keys of its own. A missing executable fails the class, it never skips.
 */
public final class RedisExtension implements BeforeAllCallback, ParameterResolver {
    private final Namespace namespace = Namespace.create(this);
    private final RedisServer.Builder builder;
    private volatile @Nullable RedisServer server;

    /** A server as {@link RedisServer#start()} makes it. */
    public RedisExtension() {
        this(RedisServer.builder());
    }

    /**
     * A server with other settings.
     *
     * @param builder started once per test class
     */
    public RedisExtension(RedisServer.Builder builder) {
        this.builder = builder;
    }

    /**
     * {@return the server of the running test class}
     *
     * @throws IllegalStateException before the class has begun
     */
    public RedisServer server() {
        RedisServer running = server;
        if (running == null) {
            throw new IllegalStateException("The server starts with the test class: register a static field");
        }
        return running;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // The store closes it at the end of the class; nested classes find the one of their outer class.
        server = context.getStore(namespace)
                .computeIfAbsent(RedisServer.class, key -> builder.start(), RedisServer.class);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RedisServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return server();
    }
}
