// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * What clients were promised: which sequence belongs to which user. Thread-safe. Memory: 4 bytes a coupon.
 *
 * <p>A promise that contradicts another one, or lies beyond the coupons, is counted as a conflict.
 */
final class Claims {
    private final AtomicIntegerArray userOfSequence;
    private final AtomicInteger conflicts = new AtomicInteger();

    Claims(int coupons) {
        userOfSequence = new AtomicIntegerArray(coupons + 1);
    }

    void add(long sequence, int user) {
        if (sequence < 1 || sequence >= userOfSequence.length()) {
            conflicts.incrementAndGet();
            return;
        }
        int before = userOfSequence.compareAndExchange((int) sequence, 0, user);
        if (before != 0 && before != user) {
            conflicts.incrementAndGet();
        }
    }

    /** Whose the unit is by what clients were told, or 0 if nobody was told. */
    int user(long sequence) {
        return sequence < 1 || sequence >= userOfSequence.length() ? 0 : userOfSequence.get((int) sequence);
    }

    int conflicts() {
        return conflicts.get();
    }

    /** How many units clients were promised. */
    int count() {
        int count = 0;
        for (int i = 1; i < userOfSequence.length(); i++) {
            if (userOfSequence.get(i) != 0) {
                count++;
            }
        }
        return count;
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
            for (int i = 1; i < userOfSequence.length(); i++) {
                int user = userOfSequence.get(i);
                if (user != 0) {
                    out.writeInt(i);
                    out.writeInt(user);
                }
            }
            out.writeInt(0);
            out.writeInt(conflicts.get());
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written", e);
        }
        return bytes.toByteArray();
    }

    void addEncoded(byte[] encoded) {
        try (DataInputStream in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(encoded)))) {
            for (int sequence = in.readInt(); sequence != 0; sequence = in.readInt()) {
                add(sequence, in.readInt());
            }
            conflicts.addAndGet(in.readInt());
        } catch (IOException e) {
            throw new UncheckedIOException("the claims of a node are damaged", e);
        }
    }
}
