// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.sale;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A campaign or product as the API shows it.
 *
 * @param id its id
 * @param name what people call it
 * @param state {@code scheduled}, {@code open}, {@code soldOut}, {@code closed}, {@code rebuilding} (fenced for now) or
 *     {@code missing} (not in Redis)
 * @param units all units, restocks included
 * @param limitPerUser units that one user may get
 * @param opensAt from when; null for at once
 * @param closesAt until when; null for ever
 * @param left units left now, by Redis; null if it is missing
 */
public record SaleView(
        long id,
        String name,
        String state,
        long units,
        int limitPerUser,
        @Nullable Instant opensAt,
        @Nullable Instant closesAt,
        @Nullable Long left) {}
