// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.pool.PoolEvent.Claim;
import dev.interlock.pool.PoolEvent.Kind;
import dev.interlock.pool.PoolEvent.Position;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what the scripts write. An outbox entry is a list of fields: first {@code h} with "kind epoch sequence micros",
 * then what its kind needs. A claim is a line "nth TAB sequence TAB request". A journal value is "kind TAB …".
 */
final class EventCodec {
    private static final String TAB = "\t";

    private static final Pattern HEAD = Pattern.compile("[A-Z] \\d{1,18} (\\d{1,18}) \\d{1,18}");

    private EventCodec() {}

    /** The sequence in an entry's head; empty for an empty head, and for one that no script of a pool writes. */
    static Optional<Long> sequenceOf(String head) {
        Matcher matcher = HEAD.matcher(head);
        return matcher.matches() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
    }

    /** Reads one entry; what no script of a pool writes comes back as unreadable. */
    static OutboxEntry entry(String id, List<String> fields) {
        try {
            return new OutboxEntry(id, events(fields), null);
        } catch (RuntimeException e) {
            return new OutboxEntry(id, List.of(), e + ": " + fields);
        }
    }

    private static List<PoolEvent> events(List<String> fields) {
        String[] head = fields.get(1).split(" ", -1);
        long epoch = Long.parseLong(head[1]);
        long first = Long.parseLong(head[2]);
        Instant at = instant(Long.parseLong(head[3]));
        if (!fields.get(0).equals("h")) {
            throw new IllegalArgumentException("an entry begins with its head");
        }
        Position position = new Position(epoch, first, at);
        return switch (head[0]) {
            case "C" -> List.of(created(position, Long.parseLong(fields.get(3)), fields.get(5)));
            case "A" -> List.of(adjusted(position, Long.parseLong(fields.get(3)), fields.get(5)));
            case "R" -> List.of(revoked(position, fields.get(3), fields.get(5).split(TAB, 3), fields.get(7)));
            case "I" -> issued(position, fields.get(3));
            default -> throw new IllegalArgumentException("an unknown kind of event");
        };
    }

    /** One line for each unit: "user TAB nth TAB sequence TAB request". */
    private static List<PoolEvent> issued(Position first, String units) {
        List<PoolEvent> events = new ArrayList<>();
        for (int start = 0; start < units.length(); ) {
            int end = units.indexOf('\n', start);
            String[] unit = units.substring(start, end).split(TAB, 4);
            Position position = at(first, first.sequence() + events.size());
            if (Long.parseLong(unit[2]) != position.sequence()) {
                throw new IllegalArgumentException("the sequences of an entry have no gaps");
            }
            events.add(issued(position, unit[0], Integer.parseInt(unit[1]), unit[3]));
            start = end + 1;
        }
        return events;
    }

    private static PoolEvent created(Position position, long total, String terms) {
        return new PoolEvent(position, Kind.CREATED, total, null, terms);
    }

    private static PoolEvent adjusted(Position position, long delta, String reason) {
        return new PoolEvent(position, Kind.ADJUSTED, delta, null, reason);
    }

    private static PoolEvent issued(Position position, String user, int nth, String request) {
        return new PoolEvent(position, Kind.ISSUED, -1, new Claim(user, request, nth, position.sequence()), null);
    }

    /** The unit is "nth, sequence of its issue, request". */
    private static PoolEvent revoked(Position position, String user, String[] unit, String reason) {
        Claim claim = new Claim(user, unit[2], Integer.parseInt(unit[0]), Long.parseLong(unit[1]));
        return new PoolEvent(position, Kind.REVOKED, 1, claim, reason);
    }

    /** The events behind the claims that one user holds. */
    static List<PoolEvent> fromClaims(String user, String lines, Position like) {
        List<PoolEvent> events = new ArrayList<>(1);
        for (String line : lines.lines().toList()) {
            String[] unit = line.split(TAB, 3);
            events.add(issued(at(like, Long.parseLong(unit[1])), user, Integer.parseInt(unit[0]), unit[2]));
        }
        return events;
    }

    /** The events behind a journal: adjustments, and revocations together with the issues that they undid. */
    static List<PoolEvent> fromJournal(Map<String, String> journal, Position like) {
        List<PoolEvent> events = new ArrayList<>();
        journal.forEach((field, value) -> {
            if (Character.isDigit(field.charAt(0))) {
                Position position = at(like, Long.parseLong(field));
                String[] parts = value.split(TAB, 6);
                if (parts[0].equals("A")) {
                    events.add(adjusted(position, Long.parseLong(parts[1]), parts[2]));
                } else {
                    String[] unit = {parts[1], parts[2], parts[3]};
                    PoolEvent revoked = revoked(position, parts[4], unit, parts[5]);
                    events.add(revoked);
                    events.add(issued(at(like, Long.parseLong(unit[1])), parts[4], Integer.parseInt(unit[0]), unit[2]));
                }
            }
        });
        return events;
    }

    /** The creation behind the state of a pool. */
    static PoolEvent fromMeta(Map<String, String> meta, Position like) {
        String terms = meta.get("limit") + ' ' + meta.get("opens") + ' ' + meta.get("closes");
        return created(at(like, 0), Long.parseLong(meta.getOrDefault("total", "0")), terms);
    }

    /** The line of a unit that a user holds. */
    static String line(Claim claim) {
        return claim.nth() + TAB + claim.issue() + TAB + claim.requestId() + '\n';
    }

    private static Position at(Position like, long sequence) {
        return new Position(like.epoch(), sequence, like.at());
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
