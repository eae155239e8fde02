// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one node believes about its cluster: the lines of CLUSTER NODES.
 *
 * @param nodes every node that it knows, those in handshake left out
 */
record ClusterView(List<Node> nodes) {
    static final int SLOTS = 16_384;

    /** {@code <id> <ip:port@busport[,hostname]> <flags> <master> <ping> <pong> <epoch> <link> <slot> <slot>...} */
    private static final Pattern LINE = Pattern.compile("(?<id>\\S+) \\S*:(?<port>\\d+)@(?<bus>\\d+)\\S* (?<flags>\\S+)"
            + " (?<master>\\S+) \\d+ \\d+ (?<epoch>\\d+) \\S+(?<slots>.*)");

    private static final Pattern RANGE = Pattern.compile("(?<= )(\\d+)(?:-(\\d+))?(?= |$)");

    /**
     * One node.
     *
     * @param id its name in the cluster
     * @param port its port for clients
     * @param busPort its port for the other nodes
     * @param flags such as {@code myself}, {@code master}, {@code slave}, {@code fail?}, {@code fail}
     * @param masterId its master's name, {@code -} for a master
     * @param epoch of its claim to its slots; the highest wins
     * @param ranges first and last slot of each range that it serves
     */
    record Node(String id, int port, int busPort, List<String> flags, String masterId, long epoch, List<int[]> ranges) {
        boolean isMaster() {
            return flags.contains("master");
        }

        boolean failed() {
            return flags.contains("fail") || flags.contains("fail?");
        }

        boolean serves(int slot) {
            return ranges.stream().anyMatch(range -> range[0] <= slot && slot <= range[1]);
        }
    }

    /** What a node believes; empty while it does not answer. */
    static Optional<ClusterView> of(RedisServer node) {
        String lines = node.ask("CLUSTER NODES");
        return lines.contains("myself") ? Optional.of(of(lines)) : Optional.empty();
    }

    /** What that one of the nodes believes that knows the latest fail-over. */
    static ClusterView latest(List<RedisServer> nodes) {
        return nodes.stream()
                .map(ClusterView::of)
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(ClusterView::age))
                .orElseThrow(() -> new IllegalStateException("No node of the cluster answers"));
    }

    /** Whether all of the nodes answer and believe something. */
    static boolean agree(List<RedisServer> nodes, Predicate<ClusterView> belief) {
        return nodes.stream().allMatch(node -> of(node).filter(belief).isPresent());
    }

    /** Parses what CLUSTER NODES printed. */
    static ClusterView of(String text) {
        return new ClusterView(text.lines()
                .filter(line -> !line.contains("handshake") && !line.contains("noaddr"))
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(ClusterView::node)
                .toList());
    }

    private static Node node(Matcher line) {
        // A slot on its way has a notation of its own, [1->-id], and still belongs to its source.
        List<int[]> ranges = RANGE.matcher(line.group("slots"))
                .results()
                .map(range -> new int[] {
                    Integer.parseInt(range.group(1)),
                    Integer.parseInt(range.group(2) == null ? range.group(1) : range.group(2))
                })
                .toList();
        return new Node(
                line.group("id"),
                Integer.parseInt(line.group("port")),
                Integer.parseInt(line.group("bus")),
                List.of(line.group("flags").split(",", -1)),
                line.group("master"),
                Long.parseLong(line.group("epoch")),
                ranges);
    }

    Node self() {
        return nodes.stream()
                .filter(node -> node.flags().contains("myself"))
                .findFirst()
                .orElseThrow();
    }

    Optional<Node> at(int port) {
        return nodes.stream().filter(node -> node.port() == port).findFirst();
    }

    /** Grows with every fail-over and change of slots: of two views the one with more is the later. */
    long age() {
        return nodes.stream().mapToLong(Node::epoch).sum();
    }

    long masters() {
        return nodes.stream().filter(Node::isMaster).count();
    }

    boolean isMaster(RedisServer server) {
        return at(server.port()).filter(Node::isMaster).isPresent();
    }

    /** The master that serves a slot and is not believed to be dead. */
    Optional<Node> owner(int slot) {
        return nodes.stream()
                .filter(node -> node.isMaster() && !node.failed() && node.serves(slot))
                .findFirst();
    }
}
