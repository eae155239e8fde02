// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.internal.Await;
import java.util.List;
import reactor.core.publisher.Mono;

/** The blocking view. */
record BlockingScripts(ScriptCalls calls) implements Scripts {
    @Override
    public <T> T run(Script<T> script, ScriptKeys keys, ScriptArgs args) {
        return Await.get("scripts.run", () -> calls.run(script, keys, args));
    }

    @Override
    public List<KillResult> killRunning() {
        return Await.get("scripts.killRunning", calls::killRunning);
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveScripts(calls);
    }

    /** The reactive view; keys are checked before subscription. */
    private record ReactiveScripts(ScriptCalls calls) implements Reactive {
        @Override
        public <T> Mono<T> run(Script<T> script, ScriptKeys keys, ScriptArgs args) {
            calls.check(script, keys);
            return Mono.fromCompletionStage(() -> calls.run(script, keys, args));
        }

        @Override
        public Mono<List<KillResult>> killRunning() {
            return Mono.fromCompletionStage(calls::killRunning);
        }
    }
}
