// SPDX-License-Identifier: Apache-2.0
package dev.interlock.pool;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Holds of a pool, parted or not, with arguments that were checked. */
interface HoldOps extends Holds.Async {
    CompletionStage<HoldResult> hold(HoldCalls.Request request);

    CompletionStage<ConfirmResult> confirm(HoldId id);

    CompletionStage<CancelResult> cancel(HoldId id);

    CompletionStage<Optional<Hold>> find(HoldId id);
}
