// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on 127.0.0.1 that injects faults between a client and a server of any protocol in which the client speaks
 * first, such as Redis, PostgreSQL and Kafka.
 *
 * <p>A request here is what one read from the client gives: one command for a client that waits for its answer, maybe
 * several for one that pipelines. A fault applies to requests that arrive after it was set. A connection that went
 * silent in a black hole stays so until it is closed: its stream has a gap, and going on would answer one request with
 * the reply to another.
 *
 * <p>Thread-safe; two daemon threads per connection. Whoever made it closes it.
 */
public final class FaultProxy implements AutoCloseable {
    /** What happens to a request and its reply. */
    public enum Mode {
        /** Everything passes. */
        PASS,
        /** The server executes the request, its reply is discarded, then the client's connection ends orderly. */
        DROP_REPLY_THEN_FIN,
        /** The server executes the request, its reply is discarded, then the client's connection is reset. */
        DROP_REPLY_THEN_CUT,
        /** The server never sees the request; the client's connection is reset. */
        CUT_BEFORE_REQUEST,
        /** The server executes the request and all later ones on this connection; no reply arrives, nothing ends. */
        BLACKHOLE_REPLIES,
        /** Neither this nor a later request on this connection reaches the server; nothing ends. */
        BLACKHOLE_ALL,
        /** Present connections are reset and new ones refused. Counts as one fault. Not possible as a one-shot. */
        REFUSE,
        /** Requests and replies pass one byte at a time, about 0.1 ms apart. */
        DRIBBLE
    }

    private record OneShot(Mode mode, Predicate<byte[]> request) {}

    private final int targetPort;
    private final int port;
    private final Set<ProxyConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong faults = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();
    private final AtomicReference<@Nullable OneShot> oneShot = new AtomicReference<>();
    private volatile Mode mode = Mode.PASS;
    private volatile Duration delay = Duration.ZERO;
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;
    private boolean closed;

    private FaultProxy(int targetPort) throws IOException {
        this.targetPort = targetPort;
        this.port = listen(0);
    }

    /**
     * Opens a proxy to a server on this machine, in mode {@link Mode#PASS}.
     *
     * @param targetPort the port of the server on 127.0.0.1, from 1 to 65535; nobody need listen there yet
     * @return the proxy, accepting connections
     * @throws IllegalArgumentException for a port out of range
     * @throws UncheckedIOException when no port is free
     */
    public static FaultProxy to(int targetPort) {
        try {
            return new FaultProxy(Ports.checked(targetPort));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen on 127.0.0.1", e);
        }
    }

    /** {@return the port on 127.0.0.1 that clients connect to} */
    public int port() {
        return port;
    }

    /** {@return the address for Redis clients, such as {@code redis://127.0.0.1:40001}} */
    public String redisUri() {
        return "redis://127.0.0.1:" + port;
    }

    /**
     * Handles all requests from now on in this way, but for a pending one-shot fault.
     *
     * @param mode the new mode
     * @throws UncheckedIOException when the port was taken by somebody else during {@link Mode#REFUSE}
     */
    public synchronized void mode(Mode mode) {
        if (closed) {
            throw new IllegalStateException("This proxy is closed");
        }
        this.mode = mode;
        try {
            if (mode == Mode.REFUSE && listener != null) {
                stopListening();
                faults.incrementAndGet();
                cutAll();
            } else if (mode != Mode.REFUSE && listener == null) {
                listen(port);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot switch to " + mode + " on port " + port, e);
        }
    }

    /**
     * Injects one fault into the next request; those after it are handled by the mode that is set. Replaces a pending
     * one-shot fault.
     *
     * @param mode any but {@link Mode#REFUSE}
     * @throws IllegalArgumentException for {@link Mode#REFUSE}
     */
    public void once(Mode mode) {
        onceWhen(mode, request -> true);
    }

    /**
     * Injects one fault into the next request that matches. Replaces a pending one-shot fault.
     *
     * @param mode any but {@link Mode#REFUSE}
     * @param request tells from its bytes whether a request is meant; called on the proxy's threads
     * @throws IllegalArgumentException for {@link Mode#REFUSE}
     */
    public void onceWhen(Mode mode, Predicate<byte[]> request) {
        if (mode == Mode.REFUSE) {
            throw new IllegalArgumentException("REFUSE meets no request: use mode(REFUSE)");
        }
        oneShot.set(new OneShot(mode, request));
    }

    /**
     * Holds back everything by at least this time, each way.
     *
     * @param delay zero or more
     * @throws IllegalArgumentException for a negative delay
     */
    public void delay(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay must not be negative, was " + delay);
        }
        this.delay = delay;
    }

    /** {@return how many faults have taken effect; delays do not count} */
    public long faults() {
        return faults.get();
    }

    /** {@return how many connections were accepted so far} */
    public long connections() {
        return connections.get();
    }

    /** Resets all present connections; new ones are accepted. */
    public void cutAll() {
        open.forEach(ProxyConnection::cut);
    }

    /** Resets all connections and stops listening. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            stopListening();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close port " + port, e);
        } finally {
            cutAll();
        }
    }

    Mode mode() {
        return mode;
    }

    Duration delay() {
        return delay;
    }

    void countFault() {
        faults.incrementAndGet();
    }

    void ended(ProxyConnection connection) {
        open.remove(connection);
    }

    /** The fault for this request; uses up the one-shot fault that it matches. */
    Mode modeFor(byte[] request) {
        OneShot pending = oneShot.get();
        boolean hit = pending != null && pending.request().test(request) && oneShot.compareAndSet(pending, null);
        return hit && pending != null ? pending.mode() : mode;
    }

    private int listen(int wanted) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
        listener = socket;
        acceptor = ProxyConnection.daemon("accept-" + socket.getLocalPort(), () -> accept(socket));
        return socket.getLocalPort();
    }

    /** The port is free only when the thread in accept() has noticed. */
    private void stopListening() throws IOException {
        if (listener != null && acceptor != null) {
            listener.close();
            listener = null;
            try {
                acceptor.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                ProxyConnection connection = new ProxyConnection(this, socket.accept(), new Socket());
                open.add(connection);
                connections.incrementAndGet();
                connection.start(targetPort);
            } catch (IOException e) {
                // The listener was closed, or this one connection failed: the loop's condition tells which.
            }
        }
    }
}
