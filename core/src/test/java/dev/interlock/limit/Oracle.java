// SPDX-License-Identifier: Apache-2.0
package dev.interlock.limit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** What a limiter must decide, computed plainly: with whole numbers of any size, from the list of all that was granted. */
abstract class Oracle {
    /** A judgement; times in microseconds, retry -1 for never; a wait that was granted leaves no more to compare. */
    record Expected(boolean allowed, long remaining, long retry, long reset, long waited) {
        static Expected of(Decision decision) {
            Decision.Verdict verdict = decision.verdict();
            long reset = verdict.waitMicros() > 0 ? 0 : verdict.resetMicros();
            return new Expected(
                    verdict.allowed(), verdict.remaining(), verdict.retryMicros(), reset, verdict.waitMicros());
        }
    }

    static Expected expected(boolean allowed, long left, long retry, long reset) {
        boolean waits = allowed && retry > 0;
        return new Expected(allowed, waits ? 0 : left, allowed ? 0 : retry, waits ? 0 : reset, waits ? retry : 0);
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

    /** Takes units now, or for a later moment that is no further away than the patience. */
    abstract Expected take(long now, long units, long patience);

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
        Expected take(long now, long units, long patience) {
            BigInteger nowN = BigInteger.valueOf(now).multiply(n);
            arrival = arrival.max(nowN);
            BigInteger span = p.multiply(BigInteger.valueOf(units));
            BigInteger excess = arrival.add(span).subtract(nowN).subtract(full);
            long retry = units > burst ? -1 : Math.max(0, ceil(excess));
            boolean allowed = retry >= 0 && retry <= patience;
            if (allowed) {
                arrival =
                        arrival.max(BigInteger.valueOf(now + retry).multiply(n)).add(span);
            }
            BigInteger debt = arrival.subtract(nowN);
            long left = Math.max(0, full.subtract(debt).divide(p).longValueExact());
            return expected(allowed, left, retry, ceil(debt));
        }

        private long ceil(BigInteger value) {
            BigInteger[] parts = value.divideAndRemainder(n);
            return parts[0].longValueExact() + (parts[1].signum() > 0 ? 1 : 0);
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

        /** Nothing is granted for a moment before this one after the grant: waiters keep their order. */
        long order(Grant grant) {
            return grant.at;
        }

        long reset(long now, boolean allowed, long newestBefore) {
            return !allowed || newestBefore > 0 ? newestBefore : period;
        }

        @Override
        Expected take(long now, long units, long patience) {
            grants.removeIf(grant -> end(grant) <= now);
            long newest = grants.stream()
                            .filter(grant -> grant.units > 0 || order(grant) > now)
                            .mapToLong(this::end)
                            .max()
                            .orElse(now)
                    - now;
            long retry = units > max ? -1 : firstFit(now, units) - now;
            boolean allowed = retry >= 0 && retry <= patience;
            if (allowed) {
                grants.add(new Grant(now + retry, units));
            }
            boolean reserved = grants.stream().anyMatch(grant -> order(grant) > now);
            long left = reserved ? 0 : Math.max(0, max - countedAt(now));
            return expected(allowed, left, retry, reset(now, allowed, newest));
        }

        private long countedAt(long moment) {
            return grants.stream()
                    .filter(grant -> end(grant) > moment)
                    .mapToLong(Grant::units)
                    .sum();
        }

        private long firstFit(long now, long units) {
            long first =
                    Math.max(now, grants.stream().mapToLong(this::order).max().orElse(now));
            return LongStream.concat(
                            LongStream.of(first),
                            grants.stream().mapToLong(this::end).filter(end -> end > first))
                    .sorted()
                    .filter(moment -> countedAt(moment) + units <= max)
                    .findFirst()
                    .orElseThrow();
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
        long order(Grant grant) {
            return grant.at() / width * width;
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

        /** Only the latest window is remembered, so one that was left is not filled again, not even after a refund. */
        @Override
        long order(Grant grant) {
            return grant.at() / period * period;
        }

        @Override
        void refund(long now, Grant grant) {
            boolean latest = grants.stream().mapToLong(this::order).max().orElse(0) == order(grant);
            if (latest && grants.remove(grant)) {
                grants.add(new Grant(grant.at(), 0));
            }
        }

        @Override
        long reset(long now, boolean allowed, long newestBefore) {
            return allowed ? end(new Grant(now, 0)) - now : newestBefore;
        }
    }
}
