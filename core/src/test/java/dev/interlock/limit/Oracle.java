// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a limiter must decide, computed plainly: with whole numbers of any size, from the list of all that was granted. */
abstract class Oracle {
    /** A judgement; times in microseconds, retry -1 for never. */
    record Expected(boolean allowed, long remaining, long retry, long reset) {
        static Expected of(Decision decision) {
            Decision.Verdict verdict = decision.verdict();
            return new Expected(verdict.allowed(), verdict.remaining(), verdict.retryMicros(), verdict.resetMicros());
        }
    }

    record Grant(long at, long units) {}

    static Oracle of(Limit limit) {
        if (limit instanceof Limit.Gcra gcra) {
            return new Gcra(gcra);
        }
        if (limit instanceof Limit.SlidingCounter counter) {
            return new Counter(counter);
        }
        return limit instanceof Limit.SlidingWindow ? new Log(limit) : new Fixed(limit);
    }

    static long micros(Limit limit) {
        return limit.period().toNanos() / 1000;
    }

    abstract Expected take(long now, long units);

    abstract void refund(long now, Grant grant);

    /** Exact rational arithmetic: all times in n-ths of a microsecond. */
    private static final class Gcra extends Oracle {
        private final BigInteger n;
        private final BigInteger p;
        private final BigInteger full;
        private final long burst;
        private BigInteger arrival = BigInteger.ZERO;

        Gcra(Limit.Gcra limit) {
            n = BigInteger.valueOf(limit.permits());
            p = BigInteger.valueOf(micros(limit));
            burst = limit.burst();
            full = p.multiply(BigInteger.valueOf(burst));
        }

        @Override
        Expected take(long now, long units) {
            BigInteger nowN = BigInteger.valueOf(now).multiply(n);
            arrival = arrival.max(nowN);
            BigInteger next = arrival.add(p.multiply(BigInteger.valueOf(units)));
            boolean allowed = units <= burst && next.subtract(nowN).compareTo(full) <= 0;
            long retry =
                    allowed ? 0 : units > burst ? -1 : ceil(next.subtract(full).subtract(nowN));
            arrival = allowed ? next : arrival;
            BigInteger debt = arrival.subtract(nowN);
            return new Expected(allowed, full.subtract(debt).divide(p).longValueExact(), retry, ceil(debt));
        }

        private long ceil(BigInteger value) {
            return value.add(n).subtract(BigInteger.ONE).divide(n).longValueExact();
        }

        @Override
        void refund(long now, Grant grant) {
            BigInteger nowN = BigInteger.valueOf(now).multiply(n);
            if (BigInteger.valueOf(now - grant.at).compareTo(full.divide(n)) <= 0) {
                arrival = arrival.subtract(p.multiply(BigInteger.valueOf(grant.units)))
                        .max(nowN);
            }
        }
    }

    /** Everything granted in (now - period, now]. */
    private static class Log extends Oracle {
        final long max;
        final long period;
        final List<Grant> grants = new ArrayList<>();

        Log(Limit limit) {
            max = limit.permits();
            period = micros(limit);
        }

        /** When a grant no longer counts. */
        long end(Grant grant) {
            return grant.at + period;
        }

        long reset(long now, boolean allowed, long newestBefore) {
            return !allowed || newestBefore > 0 ? newestBefore : period;
        }

        @Override
        Expected take(long now, long units) {
            grants.removeIf(grant -> end(grant) <= now);
            long used = grants.stream().mapToLong(Grant::units).sum();
            long newest = grants.stream().mapToLong(this::end).max().orElse(now) - now;
            boolean allowed = used + units <= max;
            long retry = allowed ? 0 : units > max ? -1 : wait(now, used + units - max);
            if (allowed) {
                grants.add(new Grant(now, units));
            }
            return new Expected(allowed, max - used - (allowed ? units : 0), retry, reset(now, allowed, newest));
        }

        private long wait(long now, long needed) {
            long back = 0;
            for (Grant grant :
                    grants.stream().sorted(Comparator.comparing(this::end)).toList()) {
                back += grant.units;
                if (back >= needed) {
                    return end(grant) - now;
                }
            }
            throw new AssertionError("more is needed than was granted");
        }

        @Override
        void refund(long now, Grant grant) {
            grants.remove(grant);
        }
    }

    /** Buckets of equal width that begin at multiples of it; a grant counts until k whole buckets after its own. */
    private static final class Counter extends Log {
        private final long k;
        private final long width;

        Counter(Limit.SlidingCounter limit) {
            super(limit);
            k = limit.buckets();
            width = (period + k - 1) / k;
        }

        @Override
        long end(Grant grant) {
            return (grant.at() / width + k + 1) * width;
        }

        @Override
        long reset(long now, boolean allowed, long newestBefore) {
            return allowed ? end(new Grant(now, 0)) - now : newestBefore;
        }
    }

    private static final class Fixed extends Log {
        Fixed(Limit limit) {
            super(limit);
        }

        @Override
        long end(Grant grant) {
            return (grant.at() / period + 1) * period;
        }

        @Override
        long reset(long now, boolean allowed, long newestBefore) {
            return allowed ? end(new Grant(now, 0)) - now : newestBefore;
        }
    }
}
