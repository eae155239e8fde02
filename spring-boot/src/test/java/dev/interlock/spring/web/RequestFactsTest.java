// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests a route is for, and whose they are. */
class RequestFactsTest {
    private static final ClientAddresses DIRECT = new ClientAddresses(List.of());

    static RequestFacts request(
            String path, Map<String, List<String>> headers, @Nullable String principal, String from) {
        return new RequestFacts("GET", path, "", name -> headers.getOrDefault(name, List.of()), principal, from);
    }

    private static String client(List<String> trusted, String from, String... forwarded) {
        return new ClientAddresses(trusted).of(request("/", Map.of("X-Forwarded-For", List.of(forwarded)), null, from));
    }

    @Test
    void believesNobodyWhomItIsNotTold() {
        assertThat(client(List.of(), "10.0.0.1", "6.6.6.6")).isEqualTo("10.0.0.1");
        assertThat(client(List.of("10.0.0.0/8"), "11.0.0.1", "6.6.6.6")).isEqualTo("11.0.0.1");
    }

    @Test
    void readsForwardedAddressesFromTheRightAsFarAsProxiesAreTrusted() {
        List<String> trusted = List.of("10.0.0.0/8", "192.168.1.7");
        assertThat(client(trusted, "10.0.0.1", "6.6.6.6")).isEqualTo("6.6.6.6");
        assertThat(client(trusted, "10.0.0.1", "1.1.1.1, 6.6.6.6")).isEqualTo("6.6.6.6");
        assertThat(client(trusted, "10.0.0.1", "1.1.1.1, 6.6.6.6, 10.9.9.9")).isEqualTo("6.6.6.6");
        assertThat(client(trusted, "10.0.0.1", "1.1.1.1", "6.6.6.6, 192.168.1.7"))
                .isEqualTo("6.6.6.6");
        assertThat(client(trusted, "10.0.0.1", "6.6.6.6:4711")).isEqualTo("6.6.6.6");
        assertThat(client(trusted, "10.0.0.1", "6.6.6.6, evil.example, 10.0.0.2"))
                .isEqualTo("10.0.0.2");
        assertThat(client(trusted, "10.0.0.1", "")).isEqualTo("10.0.0.1");
        assertThat(client(trusted, "10.0.0.1")).isEqualTo("10.0.0.1");
    }

    @Test
    void countsAnIpv6ClientByItsNetwork() {
        String one = client(List.of("::1"), "0:0:0:0:0:0:0:1", "[2001:db8:1:2:aaaa::1]:443");
        assertThat(one).isEqualTo(client(List.of(), "2001:db8:1:2:bbbb::9")).endsWith("/64");
        assertThat(one).isNotEqualTo(client(List.of(), "2001:db8:1:3::9"));
        assertThat(client(List.of("2001:db8::/32"), "2001:db8:7::1", "6.6.6.6")).isEqualTo("6.6.6.6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy.example", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/-1", "", "::1/129"})
    void refusesAProxyThatIsNoNetwork(String text) {
        assertThatThrownBy(() -> new ClientAddresses(List.of(text))).hasMessageContaining("trusted-proxies");
    }

    private static String key(String source, RequestFacts request) {
        Route route = Route.of("path", "/users/{id}/**", List.of());
        return KeySource.of("key", source, route.pattern(), DIRECT).key(request, Map.of("id", "7"));
    }

    @Test
    void takesTheKeyFromWhereItIsTold() {
        RequestFacts known = request("/users/7/x", Map.of("X-Key", List.of("k")), "ann", "6.6.6.6");
        assertThat(key("principal", known)).isEqualTo("principal:ann");
        assertThat(key("header:X-Key", known)).isEqualTo("header:k");
        assertThat(key("path:id", known)).isEqualTo("path:7");
        assertThat(key("client-address", known)).isEqualTo("address:6.6.6.6");
        RequestFacts unknown = request("/users/7/x", Map.of(), null, "6.6.6.6");
        assertThat(Stream.of("principal", "header:X-Key").map(source -> key(source, unknown)))
                .containsOnly("address:6.6.6.6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ip", "header:", "header:a b", "path:name", "path:", "path:.*"})
    void refusesAnotherKey(String source) {
        RequestFacts request = request("/users/7/x", Map.of(), null, "6.6.6.6");
        assertThatThrownBy(() -> key(source, request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("key ");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/a, true",
        "/api, true",
        "/%61pi/a, true",
        "/api;x=1/a, true",
        "/API/a, false",
        "/apis, false",
        "/x/api/a, false"
    })
    void matchesAPathAsControllersDo(String path, boolean matches) {
        Route route = Route.of("path", "/api/**", List.of("get"));
        RequestFacts request = request(path, Map.of(), null, "");
        assertThat(route.match("GET", request.parsedPath()) != null).isEqualTo(matches);
        assertThat(route.match("HEAD", request.parsedPath()) != null).isEqualTo(matches);
        assertThat(route.match("POST", request.parsedPath())).isNull();
    }

    @Test
    void refusesAPathPatternThatIsNone() {
        assertThatThrownBy(() -> Route.of("interlock.http.limits[0].path", "/{id", List.of()))
                .hasMessageStartingWith("interlock.http.limits[0].path is no path pattern");
    }
}
