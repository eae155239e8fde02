// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import dev.interlock.internal.Await;
import java.util.List;
import reactor.core.publisher.Mono;

/** The blocking view. */
record BlockingDoctor(DoctorCalls calls) implements Doctor {
    @Override
    public List<Diagnosis> examine() {
        return Await.get("doctor.examine", calls::examine);
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return () -> Mono.fromCompletionStage(calls::examine);
    }
}
