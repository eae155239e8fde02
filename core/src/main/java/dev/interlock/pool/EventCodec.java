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
 * then what its kind needs, in one field {@code d} for all kinds about holds. A claim is a line "nth TAB sequence TAB
 * request"; a request that begins with a space stands for a hold. A journal value is "kind TAB …". The log holds whole
 * entries, as "head LF data".
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
        Instant at = Times.instant(Long.parseLong(head[3]));
        if (!fields.get(0).equals("h")) {
            throw new IllegalArgumentException("an entry begins with its head");
        }
        Position position = new Position(epoch, first, at);
        return switch (head[0]) {
            case "C" -> List.of(created(position, Long.parseLong(fields.get(3))));
            case "A" -> List.of(adjusted(position, Long.parseLong(fields.get(3)), fields.get(5)));
            case "R" -> List.of(revoked(position, fields.get(3), fields.get(5).split(TAB, 3), fields.get(7)));
            case "I" -> issued(position, fields.get(3));
            case "H" -> List.of(held(position, fields.get(3).split(TAB, 5)));
            case "K" -> confirmed(position, fields.get(3).split(TAB, 5));
            case "X" -> ended(position, Kind.CANCELLED, fields.get(3));
            case "E" -> ended(position, Kind.EXPIRED, fields.get(3));
            case "S" -> List.of(restocked(position, fields.get(3).split(TAB, 2)));
            case "T" ->
                List.of(new PoolEvent(
                        position, Kind.RESCHEDULED, 0, null, fields.get(3).replace(TAB, " ")));
            case "O" ->
                List.of(moved(position, Kind.MOVED_OUT, -1, fields.get(3).split(TAB, 2)));
            case "N" -> List.of(moved(position, Kind.MOVED_IN, 1, fields.get(3).split(TAB, 2)));
            case "D" -> List.of(new PoolEvent(position, Kind.DROPPED, -Long.parseLong(fields.get(3)), null, null));
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

    /** "hold, quantity, deadline, user, request". */
    private static PoolEvent held(Position position, String[] data) {
        Claim claim = new Claim(data[3], data[4], 0, position.sequence());
        PoolEvent.OfHold hold = new PoolEvent.OfHold(data[0], Times.instant(Long.parseLong(data[2])));
        return new PoolEvent(position, Kind.HELD, -Long.parseLong(data[1]), claim, null, hold);
    }

    /** "hold, delta of each unit, user, request, the nth of each unit with a space between". */
    private static List<PoolEvent> confirmed(Position first, String[] data) {
        PoolEvent.OfHold hold = new PoolEvent.OfHold(data[0], null);
        List<PoolEvent> events = new ArrayList<>();
        for (String nth : data[4].split(" ", -1)) {
            Position position = at(first, first.sequence() + events.size());
            Claim claim = new Claim(data[2], data[3], Integer.parseInt(nth), position.sequence());
            events.add(new PoolEvent(position, Kind.ISSUED, Long.parseLong(data[1]), claim, null, hold));
        }
        return events;
    }

    /** One line for each hold: "hold TAB quantity". */
    private static List<PoolEvent> ended(Position first, Kind kind, String holds) {
        List<PoolEvent> events = new ArrayList<>();
        for (String line : holds.lines().toList()) {
            String[] hold = line.split(TAB, 2);
            Position position = at(first, first.sequence() + events.size());
            PoolEvent.OfHold ended = new PoolEvent.OfHold(hold[0], null);
            events.add(new PoolEvent(position, kind, Long.parseLong(hold[1]), null, null, ended));
        }
        return events;
    }

    private static PoolEvent restocked(Position position, String[] data) {
        return new PoolEvent(position, Kind.RESTOCKED, Long.parseLong(data[0]), null, data[1]);
    }

    /** "quantity TAB …", the rest says where to or from where. */
    private static PoolEvent moved(Position position, Kind kind, int sign, String[] data) {
        return new PoolEvent(position, kind, sign * Long.parseLong(data[0]), null, data[1].replace(TAB, " "));
    }

    private static PoolEvent created(Position position, long total) {
        return new PoolEvent(position, Kind.CREATED, total, null, null);
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

    /** What a hold did stands in the log. */
    private static boolean ofHold(String request) {
        return request.startsWith(" ");
    }

    /** The events of one entry of the log. */
    static List<PoolEvent> fromLog(String line) {
        int end = line.indexOf('\n');
        return events(List.of("h", line.substring(0, end), "d", line.substring(end + 1)));
    }

    /** The events behind the claims that one user holds. */
    static List<PoolEvent> fromClaims(String user, String lines, Position like) {
        List<PoolEvent> events = new ArrayList<>(1);
        for (String line : lines.lines().toList()) {
            String[] unit = line.split(TAB, 3);
            if (!ofHold(unit[2])) {
                events.add(issued(at(like, Long.parseLong(unit[1])), user, Integer.parseInt(unit[0]), unit[2]));
            }
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
                    if (!ofHold(unit[2])) {
                        events.add(issued(
                                at(like, Long.parseLong(unit[1])), parts[4], Integer.parseInt(unit[0]), unit[2]));
                    }
                }
            }
        });
        return events;
    }

    static PoolEvent fromTotal(long total, Position like) {
        return created(at(like, 0), total);
    }

    private static Position at(Position like, long sequence) {
        return new Position(like.epoch(), sequence, like.at());
    }
}
