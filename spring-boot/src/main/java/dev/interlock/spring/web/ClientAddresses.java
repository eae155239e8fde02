// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whose address a request comes from. X-Forwarded-For is the user's own word unless a proxy of ours wrote it: it is read from
 * the right, and only as far as trusted proxies stand there. An IPv6 address counts as its network of 64 bits, which one
 * client has for itself.
 */
final class ClientAddresses {
    private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F:.]{2,45}");
    private static final int NETWORK_BYTES = 8;

    private final List<Network> trusted;

    ClientAddresses(List<String> trustedProxies) {
        this.trusted = trustedProxies.stream().map(Network::of).toList();
    }

    /**
     * Addresses with the same first bits.
     *
     * @param length of an address, in bytes
     * @param prefix the bits that are the same
     * @param others how many bits follow
     */
    private record Network(int length, BigInteger prefix, int others) {
        static Network of(String text) {
            String[] parts = text.strip().split("/", 2);
            InetAddress address = parse(parts[0]);
            int all = address == null ? 0 : address.getAddress().length * Byte.SIZE;
            boolean whole = parts.length == 1;
            if (address == null || (!whole && !parts[1].matches("[0-9]{1,3}"))) {
                throw new IllegalArgumentException(
                        "interlock.http.trusted-proxies must hold addresses or networks such as 10.0.0.0/8 but holds "
                                + text);
            }
            int bits = whole ? all : Integer.parseInt(parts[1]);
            if (bits > all) {
                throw new IllegalArgumentException(
                        "interlock.http.trusted-proxies has more bits than an address: " + text);
            }
            byte[] bytes = address.getAddress();
            return new Network(bytes.length, new BigInteger(1, bytes).shiftRight(all - bits), all - bits);
        }

        boolean contains(byte[] address) {
            return address.length == length
                    && new BigInteger(1, address).shiftRight(others).equals(prefix);
        }
    }

    /** The client's address as a key; that of the connection where nothing better can be believed. */
    String of(RequestFacts request) {
        InetAddress address = parse(request.remoteAddress());
        if (address == null) {
            return "unknown";
        }
        if (isTrusted(address)) {
            address = forwarded(request, address);
        }
        return key(address);
    }

    private InetAddress forwarded(RequestFacts request, InetAddress proxy) {
        List<String> hops = request.headers().apply("X-Forwarded-For").stream()
                .flatMap(line -> Arrays.stream(line.split(",", -1)))
                .toList();
        InetAddress nearest = proxy;
        for (int i = hops.size() - 1; i >= 0; i--) {
            InetAddress hop = parse(withoutPort(hops.get(i).strip()));
            if (hop == null) {
                return nearest;
            }
            nearest = hop;
            if (!isTrusted(hop)) {
                return hop;
            }
        }
        return nearest;
    }

    private boolean isTrusted(InetAddress address) {
        byte[] bytes = address.getAddress();
        return trusted.stream().anyMatch(network -> network.contains(bytes));
    }

    private static String withoutPort(String hop) {
        if (hop.startsWith("[")) {
            int end = hop.indexOf(']');
            return end < 0 ? "" : hop.substring(1, end);
        }
        int colon = hop.indexOf(':');
        return colon >= 0 && colon == hop.lastIndexOf(':') ? hop.substring(0, colon) : hop;
    }

    /** Only literals: a name would be looked up. */
    private static @Nullable InetAddress parse(String text) {
        int zone = text.indexOf('%');
        String literal = zone < 0 ? text : text.substring(0, zone);
        if (!LITERAL.matcher(literal).matches() || (!literal.contains(":") && !literal.contains("."))) {
            return null;
        }
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static String key(InetAddress address) {
        if (address instanceof Inet6Address) {
            byte[] network = address.getAddress();
            Arrays.fill(network, NETWORK_BYTES, network.length, (byte) 0);
            try {
                return InetAddress.getByAddress(network).getHostAddress() + "/64";
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e);
            }
        }
        return address.getHostAddress();
    }
}
