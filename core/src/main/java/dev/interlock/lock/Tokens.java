// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;

/** Tokens of owners, which nobody guesses and no other has. The generator is asked for many at once: a call is dear. */
final class Tokens {
    private static final int BYTES = 16;
    private static final int AT_ONCE = 256;

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock guard = new ReentrantLock();
    private final byte[] ahead = new byte[BYTES * AT_ONCE];
    private int used = ahead.length;

    /** 128 random bits as 32 hex digits. */
    String next() {
        guard.lock();
        try {
            if (used == ahead.length) {
                random.nextBytes(ahead);
                used = 0;
            }
            used += BYTES;
            return HexFormat.of().formatHex(ahead, used - BYTES, used);
        } finally {
            guard.unlock();
        }
    }
}
