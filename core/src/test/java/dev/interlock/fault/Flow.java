// SPDX-License-Identifier: Apache-2.0
package dev.interlock.fault;

/**
 * One caller of one primitive, who asks again and again and knows what the answers must be. A request that was not answered is
 * asked again with the same id. Used by one thread.
 */
abstract class Flow {
    final String name;
    /** The request that is being asked. */
    private int request;

    private boolean answered = true;

    Flow(String name) {
        this.name = name;
    }

    /** Asks once. Returns what Redis decided; throws when it did not. */
    final String step() {
        if (answered) {
            request++;
        }
        answered = false;
        String decision = ask(requestId());
        answered = true;
        return decision;
    }

    final String requestId() {
        return name + '#' + request;
    }

    abstract String ask(String requestId);

    /** Checks all answers together, after the last; with {@code lossless} Redis has forgotten nothing that it acknowledged. */
    abstract void verify(boolean lossless);
}
