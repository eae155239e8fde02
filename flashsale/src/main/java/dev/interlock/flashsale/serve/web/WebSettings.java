// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.web;

import io.netty.channel.ChannelOption;
import java.time.Duration;
import org.springframework.boot.http.codec.CodecCustomizer;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.resources.LoopResources;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** What a request may be like: sizes, times, and JSON without surprises. */
@Configuration(proxyBeanMethods = false)
class WebSettings {
    static final int MAX_BODY_BYTES = 16 * 1024;

    private static final int MAX_HEADER_BYTES = 16 * 1024;
    private static final int MAX_LINE_BYTES = 16 * 1024;
    private static final int MAX_DEPTH = 16;
    private static final int MAX_NUMBER_LENGTH = 32;
    /** Connections that wait to be accepted when a sale begins. */
    private static final int BACKLOG = 10_000;

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> sizesAndTimes() {
        return factory -> factory.addServerCustomizers(server -> server.httpRequestDecoder(
                        decoder -> decoder.maxHeaderSize(MAX_HEADER_BYTES).maxInitialLineLength(MAX_LINE_BYTES))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .readTimeout(READ_TIMEOUT)
                .requestTimeout(REQUEST_TIMEOUT)
                .idleTimeout(IDLE_TIMEOUT));
    }

    /**
     * Threads of its own, so that several services in one JVM can end apart, and one that only accepts: among the work of
     * thousands of connections the next ones would wait in the backlog until the kernel cut them.
     */
    @Bean
    ReactorResourceFactory serverThreads() {
        ReactorResourceFactory factory = new ReactorResourceFactory();
        factory.setUseGlobalResources(false);
        factory.setLoopResourcesSupplier(
                () -> LoopResources.create("http", 1, LoopResources.DEFAULT_IO_WORKER_COUNT, true));
        return factory;
    }

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    CodecCustomizer bodies(JsonMapper json) {
        return codecs -> {
            codecs.defaultCodecs().jacksonJsonDecoder(new Utf8JsonDecoder(json));
            codecs.defaultCodecs().maxInMemorySize(MAX_BODY_BYTES);
        };
    }

    /** Takes exactly what the API describes: no unknown or repeated fields, no number as text, no 1.0 for 1. */
    @Bean
    JsonMapper json() {
        StreamReadConstraints bounds = StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxNumberLength(MAX_NUMBER_LENGTH)
                .build();
        JsonMapper.Builder builder = JsonMapper.builder(
                        JsonFactory.builder().streamReadConstraints(bounds).build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
        builder.withCoercionConfig(
                LogicalType.Textual,
                config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
        return builder.build();
    }
}
