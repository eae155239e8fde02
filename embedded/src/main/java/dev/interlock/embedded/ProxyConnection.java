// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import dev.interlock.embedded.FaultProxy.Mode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One connection through a {@link FaultProxy}: a thread pumps requests to the server, another one replies to the client.
 *
 * <p>It goes from open to <em>mute</em> (no reply passes any more) and perhaps <em>deaf</em> (no request does), never
 * back, and ends when both sides have.
 */
final class ProxyConnection {
    private static final int BUFFER_BYTES = 65_536;
    private static final long DRIBBLE_NANOS = 100_000;

    private final FaultProxy proxy;
    private final Socket client;
    private final Socket server;
    private volatile Mode fault = Mode.PASS;
    private volatile boolean mute;
    private volatile boolean deaf;

    ProxyConnection(FaultProxy proxy, Socket client, Socket server) {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
    }

    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, "fault-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    void start(int targetPort) {
        daemon("connection-" + client.getPort(), () -> run(targetPort));
    }

    private void run(int targetPort) {
        try {
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            Thread requests = daemon("requests-" + client.getPort(), this::pumpRequests);
            pumpReplies();
            requests.join();
        } catch (IOException e) {
            // Nobody listens at the target: the client's connection is reset below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            cut();
            proxy.ended(this);
        }
    }

    private void pumpRequests() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int length = read(client, buffer); length >= 0; length = read(client, buffer)) {
                if (!deaf) {
                    request(Arrays.copyOf(buffer, length));
                }
            }
            server.shutdownOutput();
        } catch (IOException e) {
            cut();
        }
    }

    private void request(byte[] request) throws IOException {
        Mode now = proxy.modeFor(request);
        switch (now) {
            case CUT_BEFORE_REQUEST -> {
                proxy.countFault();
                cut();
            }
            case BLACKHOLE_ALL -> {
                proxy.countFault();
                mute = true;
                deaf = true;
            }
            case DROP_REPLY_THEN_FIN, DROP_REPLY_THEN_CUT -> {
                synchronized (
                        this) { // see reply(): an earlier reply must not end the connection before the request left
                    fault = now;
                    forward(request, now);
                }
            }
            default -> {
                if (!dropsReply(fault)) { // else the reply that is to be dropped is still under way
                    fault = now;
                }
                if (now == Mode.DRIBBLE) {
                    proxy.countFault();
                }
                forward(request, now);
            }
        }
    }

    private void forward(byte[] request, Mode mode) throws IOException {
        try {
            write(server, request, mode);
        } catch (IOException e) {
            if (!mute) {
                throw e;
            }
            deaf = true; // a black hole does not show that the server is gone
        }
    }

    private void pumpReplies() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int length = read(server, buffer); length >= 0; length = read(server, buffer)) {
                if (!mute) {
                    reply(Arrays.copyOf(buffer, length));
                }
            }
            if (!mute) {
                client.shutdownOutput();
            }
        } catch (IOException e) {
            if (!mute) {
                cut();
            }
        }
    }

    private void reply(byte[] reply) throws IOException {
        Mode now = isBlackHole(proxy.mode()) ? proxy.mode() : fault;
        if (isBlackHole(now)) {
            proxy.countFault();
            mute = true;
        } else if (dropsReply(now)) {
            synchronized (this) {
                proxy.countFault();
                mute = true;
                deaf = true;
                if (now == Mode.DROP_REPLY_THEN_FIN) {
                    client.shutdownOutput(); // close() would reset if the client has sent more meanwhile
                } else {
                    reset(client);
                }
                server.shutdownOutput(); // orderly, so that the server executes all it was sent
            }
        } else {
            write(client, reply, now);
        }
    }

    /** Ends both sides now, with a reset towards the client. */
    void cut() {
        reset(client);
        try {
            server.close();
        } catch (IOException e) {
            // It is closed as far as we are concerned.
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // Closed already.
        }
    }

    private int read(Socket from, byte[] buffer) throws IOException {
        int length = from.getInputStream().read(buffer);
        long nanos = proxy.delay().toNanos();
        if (length > 0 && nanos > 0) {
            try {
                TimeUnit.NANOSECONDS.sleep(nanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return length;
    }

    private static void write(Socket to, byte[] bytes, Mode mode) throws IOException {
        OutputStream out = to.getOutputStream();
        if (mode != Mode.DRIBBLE) {
            out.write(bytes);
            return;
        }
        for (byte one : bytes) {
            out.write(one);
            LockSupport.parkNanos(DRIBBLE_NANOS);
        }
    }

    private static boolean dropsReply(Mode mode) {
        return mode == Mode.DROP_REPLY_THEN_FIN || mode == Mode.DROP_REPLY_THEN_CUT;
    }

    private static boolean isBlackHole(Mode mode) {
        return mode == Mode.BLACKHOLE_REPLIES || mode == Mode.BLACKHOLE_ALL;
    }
}
