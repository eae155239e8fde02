// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve;

import dev.interlock.InterlockException;
import dev.interlock.flashsale.console.FailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A running service. The one class through which the command line reaches Spring. */
final class Service implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final int port;

    private Service(ConfigurableApplicationContext context) {
        this.context = context;
        String local = context.getEnvironment().getProperty("local.server.port");
        port = local == null ? 0 : Integer.parseInt(local);
    }

    /**
     * Starts it.
     *
     * @throws FailedException if it cannot start, with the reason and the mend
     */
    static Service start(ServeOptions options) {
        ensureFree(options.port());
        Backends backends = Backends.start(options);
        try {
            SpringApplication application = new SpringApplication(FlashSale.class);
            application.setWebApplicationType(WebApplicationType.REACTIVE);
            application.setBannerMode(Banner.Mode.OFF);
            application.setLogStartupInfo(false);
            application.setDefaultProperties(properties(options));
            application.addInitializers(
                    context -> ((GenericApplicationContext) context).registerBean(Backends.class, () -> backends));
            return new Service(application.run());
        } catch (RuntimeException e) {
            backends.close();
            throw failure(e);
        }
    }

    /** Before anything is started, so that a second start says so at once and touches no data. */
    private static void ensureFree(int port) {
        if (port == 0) {
            return;
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
        } catch (IOException e) {
            throw new FailedException("port " + port + " is in use: give another one with --port", e);
        }
    }

    private static Map<String, Object> properties(ServeOptions options) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("server.port", options.port());
        properties.put("spring.application.name", "interlock-flashsale");
        properties.put("logging.config", "classpath:dev/interlock/flashsale/serve/" + logging(options));
        properties.put("flashsale.live-open", options.demo());
        String exposed = options.prometheus() ? "health,prometheus" : "health";
        properties.put("management.endpoints.web.exposure.include", exposed);
        if (options.kafka() != null) {
            properties.put("flashsale.kafka.brokers", options.kafka());
        }
        if (options.structuredLogs() != null) {
            properties.put("logging.structured.format.console", options.structuredLogs());
        }
        return properties;
    }

    private static String logging(ServeOptions options) {
        return options.structuredLogs() == null ? "logback-plain.xml" : "logback-structured.xml";
    }

    /** The deepest failure that says something: Spring wraps it several times. */
    private static RuntimeException failure(RuntimeException error) {
        Throwable at = error;
        while (at != null && !(at instanceof FailedException)) {
            at = at.getCause();
        }
        if (at instanceof FailedException failed) {
            return failed;
        }
        Throwable deepest = error;
        while (deepest.getCause() != null && !(deepest instanceof InterlockException)) {
            deepest = deepest.getCause();
        }
        return new FailedException(FailedException.lineOf(deepest), error);
    }

    int port() {
        return port;
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    /** Asks itself once for what everybody asks for first, so that the classes for that are loaded. */
    void rehearse() {
        for (String path : new String[] {"/api/campaigns", "/readyz", "/nowhere"}) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Waits until it is ended by a signal. */
    void await() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets requests in flight finish, then ends everything. */
    @Override
    public void close() {
        context.close();
    }
}
