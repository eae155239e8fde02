// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.CrossSlotException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which keys of a script lie in different slots. */
final class CrossSlotFailureAnalyzer extends AbstractFailureAnalyzer<CrossSlotException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, CrossSlotException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Give all keys of one call the same hash tag, the part of a key between { and }. A standalone server would run"
                        + " the script, but a cluster never could.",
                cause);
    }
}
