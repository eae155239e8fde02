// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rush that was started with {@code POST /api/rush}; also the answer of that request and of {@code GET /api/rush}.
 *
 * @param id number of the rush in this process, from 1
 * @param campaignId which campaign it rushes at
 * @param state {@code running}, {@code done}, {@code stopped} or {@code failed}
 * @param requests how many requests it makes
 * @param done how many of them were answered
 * @param issued how many units it got
 * @param startedAt when it began
 * @param endedAt when it ended; null while it runs
 */
public record RushView(
        long id,
        long campaignId,
        String state,
        long requests,
        long done,
        long issued,
        Instant startedAt,
        @Nullable Instant endedAt) {}
