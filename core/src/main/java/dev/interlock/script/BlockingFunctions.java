// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.internal.Await;
import java.util.List;
import reactor.core.publisher.Mono;

/** The blocking view. */
record BlockingFunctions(FunctionCalls calls) implements Functions {
    @Override
    public List<NodeFunctions> deploy(Script<?>... own) {
        return Await.get("functions.deploy", () -> calls.deploy(own));
    }

    @Override
    public List<NodeFunctions> status(Script<?>... own) {
        return Await.get("functions.status", () -> calls.status(own));
    }

    @Override
    public Async async() {
        return calls;
    }

    @Override
    public Reactive reactive() {
        return new ReactiveFunctions(calls);
    }

    /** The reactive view. */
    private record ReactiveFunctions(FunctionCalls calls) implements Reactive {
        @Override
        public Mono<List<NodeFunctions>> deploy(Script<?>... own) {
            return Mono.fromCompletionStage(() -> calls.deploy(own));
        }

        @Override
        public Mono<List<NodeFunctions>> status(Script<?>... own) {
            return Mono.fromCompletionStage(() -> calls.status(own));
        }
    }
}
