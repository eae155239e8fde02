// SPDX-License-Identifier: Apache-2.0
package dev.interlock.doctor;

import dev.interlock.internal.Engine;
import dev.interlock.internal.LuaScript;
import java.util.List;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/**
 * Examines the masters that an Interlock uses. Reads only, but for a probe of client tracking on a connection of its own;
 * what the Redis user may not read is reported as not readable, with what is needed for it, and is no error.
 *
 * <p>Does not prove that a server is set up well: it looks for what has hurt others. Costs some ten commands a master and
 * one more connection. Thread-safe; nothing to close.
 */
public interface Doctor {
    /**
     * Looks at every master.
     *
     * @return what was found, master by master; a master that does not answer is a finding too
     */
    List<Diagnosis> examine();

    /**
     * The same operations without waiting.
     *
     * @return the asynchronous view
     */
    Async async();

    /**
     * The same operations for Reactor; nothing is sent before subscription.
     *
     * @return the reactive view
     */
    Reactive reactive();

    /**
     * Made by {@link dev.interlock.Interlock#doctor()}.
     *
     * @param engine runtime resources
     * @param scripts Interlock's own scripts
     * @return the doctor
     */
    static Doctor create(Engine engine, List<LuaScript> scripts) {
        return new BlockingDoctor(new DoctorCalls(engine, scripts));
    }

    /** As {@link Doctor}; stages complete on I/O threads. */
    interface Async {
        /** As {@link Doctor#examine()}. */
        CompletionStage<List<Diagnosis>> examine();
    }

    /** As {@link Doctor}; each subscription is one examination. */
    interface Reactive {
        /** As {@link Doctor#examine()}. */
        Mono<List<Diagnosis>> examine();
    }
}
