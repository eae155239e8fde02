// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import dev.interlock.internal.Await;
import dev.interlock.internal.Bounds;
import dev.interlock.internal.Engine;
import dev.interlock.internal.HashScan;
import dev.interlock.internal.Names;
import dev.interlock.internal.RawStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The outbox of one shard: its stream, and for lost entries the claims and the journal. */
final class StreamOutbox implements Outbox {
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final int MAX_ENTRIES = 10_000;
    private static final int LOG_PAGE = 1_000;
    private static final Pattern ID = Pattern.compile("\\d{1,20}-\\d{1,20}");

    private final Engine engine;
    private final PoolCalls calls;
    private final PoolKeys keys;
    private final RawStream stream;
    private final Restoration restoration;

    StreamOutbox(Engine engine, PoolCalls calls, PoolKeys keys, Restoration restoration) {
        this.engine = engine;
        this.calls = calls;
        this.keys = keys;
        this.stream = new RawStream(engine, keys.outbox);
        this.restoration = restoration;
    }

    @Override
    public List<OutboxEntry> read(String afterId, int maxEntries, Duration wait) {
        checkId(afterId);
        int count = (int) Bounds.range("maxEntries", maxEntries, 1, MAX_ENTRIES);
        long waitMillis = Bounds.millis("wait", wait, Duration.ZERO, MAX_WAIT);
        return Await.get("outbox.read", () -> stream.read(afterId, count, waitMillis)).stream()
                .map(entry -> EventCodec.entry(entry.id(), entry.fields()))
                .toList();
    }

    private static String checkId(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("id must be a stream id such as 0-0");
        }
        return id;
    }

    @Override
    public Optional<Backlog> backlog(String afterId) {
        checkId(afterId);
        return Await.get("outbox.backlog", () -> calls.backlog(afterId));
    }

    @Override
    public void trim(String throughId) {
        checkId(throughId);
        Await.get("outbox.trim", () -> calls.trim(throughId, RawStream.successor(throughId)));
    }

    @Override
    public List<PoolEvent> derive(long epoch, long after) {
        PoolEvent.Position like = new PoolEvent.Position(epoch, 0, Instant.now());
        List<PoolEvent> events = new ArrayList<>();
        Map<String, String> meta = hash(keys.meta);
        if (!String.valueOf(epoch).equals(meta.get("epoch"))) {
            return List.of();
        }
        events.add(EventCodec.fromMeta(meta, like));
        hash(keys.claims).forEach((user, lines) -> events.addAll(EventCodec.fromClaims(user, lines, like)));
        events.addAll(EventCodec.fromJournal(hash(keys.journal), like));
        log().forEach(entry -> events.addAll(EventCodec.fromLog(entry)));
        return events.stream()
                .filter(event -> event.position().sequence() > after)
                .sorted(Comparator.comparingLong(event -> event.position().sequence()))
                .toList();
    }

    private Map<String, String> hash(byte[] key) {
        Map<String, String> all = new TreeMap<>();
        Await.get(
                "outbox.derive",
                () -> HashScan.scan(engine, key, (field, value) -> {
                    all.put(field, value);
                    return true;
                }));
        return all;
    }

    /** What the log holds, oldest first; the pool is fenced, so it stands still. */
    private List<String> log() {
        List<String> all = new ArrayList<>();
        int page;
        do {
            int from = all.size();
            List<byte[]> found = Await.get(
                    "outbox.derive",
                    () -> engine.connection(keys.log)
                            .thenCompose(node -> node.async().zrange(keys.log, from, from + LOG_PAGE - 1L)));
            found.forEach(entry -> all.add(new String(entry, StandardCharsets.UTF_8)));
            page = found.size();
        } while (page == LOG_PAGE);
        return all;
    }

    @Override
    public boolean fence(long epoch, String holder) {
        Names.name("holder", holder);
        return Await.get("outbox.fence", () -> calls.fence(epoch, true, holder));
    }

    @Override
    public boolean unfence(long epoch, String holder) {
        Names.name("holder", holder);
        return Await.get("outbox.unfence", () -> calls.fence(epoch, false, holder));
    }

    @Override
    public Restoration restoration() {
        return restoration;
    }

    @Override
    public void close() {
        stream.close();
    }
}
