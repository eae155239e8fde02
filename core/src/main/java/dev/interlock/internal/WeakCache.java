// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * One object per name for as long as somebody uses it, so that callers of the same name share it and a million one-time
 * names leave nothing behind. Thread-safe.
 *
 * @param <V> the object
 */
public final class WeakCache<V> {
    private final ConcurrentMap<String, Entry<V>> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<V> collected = new ReferenceQueue<>();

    /**
     * The object of a name, made if nobody holds one.
     *
     * @param name the name
     * @param make makes it
     * @return the object
     */
    public V get(String name, Function<String, V> make) {
        forgetCollected();
        Entry<V> entry = entries.get(name);
        V value = entry == null ? null : entry.get();
        return value != null ? value : make(name, make);
    }

    private V make(String name, Function<String, V> make) {
        V made = make.apply(name);
        Entry<V> mine = new Entry<>(name, made, collected);
        while (true) {
            Entry<V> other = entries.putIfAbsent(name, mine);
            V value = other == null ? made : other.get();
            if (value != null) {
                return value;
            }
            entries.remove(name, other);
        }
    }

    private void forgetCollected() {
        for (Object next = collected.poll(); next != null; next = collected.poll()) {
            Entry<?> entry = (Entry<?>) next;
            entries.remove(entry.name, entry);
        }
    }

    /**
     * What is held now.
     *
     * @return the objects that somebody still uses, or that were not collected yet
     */
    public List<V> values() {
        return entries.values().stream()
                .map(Entry::get)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * How many names are held.
     *
     * @return the count, which may include some that were just given up
     */
    public int size() {
        forgetCollected();
        return entries.size();
    }

    private static final class Entry<V> extends WeakReference<V> {
        final String name;

        Entry(String name, V value, ReferenceQueue<V> queue) {
            super(value, queue);
            this.name = name;
        }
    }
}
