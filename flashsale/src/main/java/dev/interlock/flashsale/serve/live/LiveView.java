// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import dev.interlock.flashsale.serve.decision.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One message of {@code GET /api/live}: the data of a Server-Sent Event named {@code live}, sent once a second. Its names and
 * meanings are a contract with the page and with dashboards. Every rate is of the second (more or less) before {@code at} and
 * of this process; everything else is what Redis and the database hold. Lists are in a stable order.
 *
 * @param at when it was taken, ISO 8601, UTC
 * @param secondsCovered over how many seconds the rates were taken; about 1
 * @param decisions what users were told
 * @param campaigns every campaign, newest first
 * @param products every product, newest first
 * @param locks locks that are held or waited for, by name; at most 100
 * @param locksComplete false if there may be more locks than are listed
 * @param limits the limits of the service, by name
 * @param scripts the scripts that were called since the start, by name
 * @param rush the rush under way or the last one, or null if there was none
 */
public record LiveView(
        Instant at,
        double secondsCovered,
        Decisions decisions,
        List<CampaignRow> campaigns,
        List<ProductRow> products,
        List<LockRow> locks,
        boolean locksComplete,
        List<LimitRow> limits,
        List<ScriptRow> scripts,
        @Nullable RushView rush) {

    /**
     * What users were told, over HTTP and by a rush, for coupons and holds.
     *
     * @param perSecond decisions a second by outcome; always every {@link Outcome}, in its order, by
     *     {@link Outcome#text()}
     * @param total the same, all outcomes together
     * @param sinceStart decisions since the start of this process, all outcomes together
     * @param p50Micros median time of a decision, in microseconds; null if there was none in that second
     * @param p99Micros time that 99 of 100 decisions did not exceed, in microseconds; null if there was none
     */
    public record Decisions(
            Map<String, Double> perSecond,
            double total,
            long sinceStart,
            @Nullable Double p50Micros,
            @Nullable Double p99Micros) {}

    /**
     * One campaign: Redis against the database.
     *
     * @param id its id
     * @param name its name
     * @param state {@code scheduled}, {@code open}, {@code soldOut}, {@code closed}, {@code rebuilding} (fenced for now) or
     *     {@code missing} (not in Redis)
     * @param units all units, restocks included
     * @param left units left, by Redis; null if it is missing
     * @param users how many users hold or held a unit, by Redis; null if it is missing
     * @param recording how far the database is
     */
    public record CampaignRow(
            long id, String name, String state, long units, @Nullable Long left, @Nullable Long users, Recording recording) {}

    /**
     * One product: its pool of units on sale, and the row that is decreased under a lock.
     *
     * @param id its id
     * @param name its name
     * @param state as of a campaign
     * @param units all units on sale, restocks included
     * @param left units left, by Redis, without those on hold; null if it is missing
     * @param held units on hold; null if it is missing
     * @param stock pieces in the database row
     * @param recording how far the database is
     */
    public record ProductRow(
            long id,
            String name,
            String state,
            long units,
            @Nullable Long left,
            @Nullable Long held,
            long stock,
            Recording recording) {}

    /**
     * How far the database has a pool's events.
     *
     * @param relay what the relay of this process does: {@code recording}, {@code standby} (another process records),
     *     {@code noPool}, {@code retrying}, {@code rebuilding}, {@code regressed} or {@code stopped}
     * @param redisSequence number of the pool's latest event in Redis; null if it is missing
     * @param recordedSequence number of the latest event in the database, -1 if none
     * @param lag events in Redis that the database does not have yet
     * @param drift units that Redis has more than the database, as the last check found; null before the first check
     * @param checkedAt when that check was; null before the first
     */
    public record Recording(
            String relay,
            @Nullable Long redisSequence,
            long recordedSequence,
            long lag,
            @Nullable Long drift,
            @Nullable Instant checkedAt) {}

    /**
     * One lock that somebody holds. What was true a moment ago.
     *
     * @param name its name
     * @param application what the holder's Interlock calls itself, empty if nothing
     * @param host the holder's host, empty if unknown
     * @param pid the holder's process, 0 if unknown
     * @param since when it was granted; null if unknown
     * @param fence fence of the grant
     * @param remainingMillis milliseconds until it lapses unless it is renewed; null if it never does
     * @param waiting how many processes wait for it
     * @param waitingHere how many requests of this process wait for it
     */
    public record LockRow(
            String name,
            String application,
            String host,
            long pid,
            @Nullable Instant since,
            long fence,
            @Nullable Long remainingMillis,
            long waiting,
            long waitingHere) {}

    /**
     * One limit of the service.
     *
     * @param name its name
     * @param policy the rule for people, such as {@code 50 in 1 s}
     * @param allowedPerSecond requests that passed, a second
     * @param deniedPerSecond requests that were told 429, a second
     * @param away whether Redis does not answer it, so its outage policy decides
     */
    public record LimitRow(
            String name, String policy, double allowedPerSecond, double deniedPerSecond, boolean away) {}

    /**
     * Health of one script. The mean is of the last second, the counts are since the start of this process.
     *
     * @param name its name
     * @param callsPerSecond calls a second; one call may serve many requests
     * @param meanMicros mean time of a call with all attempts, in microseconds; null if there was none in that second
     * @param calls calls
     * @param noScript how often a node did not know it, so it was loaded there: NOSCRIPT
     * @param busy how often Redis refused it because another script ran for too long: BUSY
     * @param crossSlot how often a call was refused because its keys belong to different slots: CROSSSLOT
     * @param resent how often a call was sent again
     * @param unknown how often the reply was missing
     * @param failed how often it ended with an error or surely did not run, BUSY apart
     */
    public record ScriptRow(
            String name,
            double callsPerSecond,
            @Nullable Double meanMicros,
            long calls,
            long noScript,
            long busy,
            long crossSlot,
            long resent,
            long unknown,
            long failed) {}
}
