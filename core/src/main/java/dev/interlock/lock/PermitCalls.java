// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.internal.Names;
import dev.interlock.lock.GateLane.Entry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Every operation on permits, written once; the other views wait for it or wrap it.
 *
 * @param gate what this JVM does about the semaphore or read-write lock
 * @param entry which permits
 * @param options how they are taken and kept
 */
record PermitCalls(Gate gate, Entry entry, LockOptions options) implements Permits.Async {
    Waiter ask(long waitMillis, boolean blocking) {
        return gate.acquire(entry, new Waiter(options, waitMillis, blocking));
    }

    /** How long a thread waits for its answer: as long as its caller says, or for one attempt as long as a call may take. */
    long patienceMillis(long waitMillis) {
        return waitMillis > 0
                ? waitMillis
                : gate.leases().engine().settings().commandTimeout().toMillis() + 50;
    }

    LockTimeoutException timeout(long waitMillis) {
        GateKeys keys = gate.keys();
        return new LockTimeoutException(
                keys.primitive + ' ' + Names.echo(keys.name) + " had no permit free for " + waitMillis + " ms");
    }

    CompletableFuture<Lease> acquire(long waitMillis) {
        return ask(waitMillis, false).required(() -> timeout(waitMillis));
    }

    @Override
    public CompletableFuture<Lease> acquire(Duration wait) {
        return acquire(LockCalls.millis(wait));
    }

    @Override
    public Waiter tryAcquire() {
        return ask(0, false);
    }

    @Override
    public Waiter tryAcquire(Duration wait) {
        return ask(LockCalls.millis(wait), false);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(String ownerToken) {
        return gate.keeper().release(LockCalls.token(ownerToken));
    }

    @Override
    public CompletableFuture<Long> held() {
        return gate.lane().holders(gate.keys(), List.of()).thenApply(numbers -> numbers.get(0));
    }
}
