// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import dev.interlock.CorruptStateException;
import dev.interlock.OutcomeUnknownException;
import dev.interlock.internal.LuaScript;
import dev.interlock.internal.Names;
import dev.interlock.internal.Replies;
import dev.interlock.internal.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One request for several locks of one node, by one script. */
final class MultiAttempt {
    private static final LuaScript ACQUIRE_ALL = LuaScript.own(MultiAttempt.class, "acquire_all");

    private final MultiCalls calls;
    private final List<String> tokens = new ArrayList<>();
    private final long sentNanos = System.nanoTime();

    MultiAttempt(MultiCalls calls) {
        this.calls = calls;
    }

    CompletableFuture<Optional<MultiLease>> send() {
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> args = new ArrayList<>(calls.leases().lane().grantArgs());
        args.add(Text.bytes(calls.options().leaseMillis()));
        for (LockQueue queue : calls.queues()) {
            String token = calls.leases().newToken();
            tokens.add(token);
            args.add(Text.bytes(token));
            keys.addAll(List.of(queue.keys().lock, queue.keys().fence, queue.keys().queue, queue.keys().waiters));
        }
        return calls.leases()
                .engine()
                .scripts()
                .run(ACQUIRE_ALL, keys.toArray(byte[][]::new), args.toArray(byte[][]::new))
                .handle((reply, error) -> {
                    if (error != null) {
                        if (LockLane.cause(error) instanceof OutcomeUnknownException) {
                            undo();
                        }
                        throw new CompletionException(LockLane.cause(error));
                    }
                    return answer(Replies.of(ACQUIRE_ALL, reply));
                });
    }

    private void undo() {
        for (int i = 0; i < tokens.size(); i++) {
            LockKeys keys = calls.queues().get(i).keys();
            Undo.start(calls.leases(), keys, tokens.get(i), calls.options().leaseMillis(), true);
        }
    }

    private Optional<MultiLease> answer(Replies reply) {
        return switch (reply.status()) {
            case 0 -> Optional.of(granted(reply));
            case 1 -> Optional.empty();
            case 2 ->
                throw corrupt(reply, "its key never expires, which Interlock never writes: another program holds it");
            case 3 -> throw corrupt(reply, "its last fence is no whole number");
            default -> throw reply.unexpected();
        };
    }

    private CorruptStateException corrupt(Replies reply, String why) {
        LockKeys keys = calls.queues().get((int) reply.number(1) - 1).keys();
        return new CorruptStateException("lock " + Names.echo(keys.name) + ": " + why + "; nothing was changed", null);
    }

    private MultiLease granted(Replies reply) {
        LockOptions options = calls.options();
        Hold.Terms terms = new Hold.Terms(sentNanos, options.leaseMillis(), options.renewal());
        if (terms.over()) {
            undo();
            throw LockQueue.noReply();
        }
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            LockQueue queue = calls.queues().get(i);
            LockLane.Answer answer = new LockLane.Answer(true, reply.number(i + 1), false);
            Waiter waiter = new Waiter(options, 0, true);
            queue.hold(tokens.get(i), terms, answer, waiter);
            leases.add(waiter.join().orElseThrow());
        }
        return new MultiLease(leases);
    }
}
