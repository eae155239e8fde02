// SPDX-License-Identifier: Apache-2.0
package dev.interlock.internal;

import dev.interlock.CorruptStateException;
import dev.interlock.InterlockException;
import dev.interlock.NotExecutedException;
import dev.interlock.RedisBusyException;
import dev.interlock.ScriptException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.RedisNoScriptException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns what Redis answered into what a caller must know. */
final class Failures {
    /** Refusals by which Redis says that it did not start the script, and that are worth another try. */
    private static final Set<String> TRANSIENT = Set.of("LOADING", "CLUSTERDOWN", "TRYAGAIN", "MASTERDOWN", "READONLY");
    /** Refusals by which Redis says that it did not start the script, and that stay until someone mends the server. */
    private static final Set<String> LASTING = Set.of("OOM", "MISCONF", "NOREPLICAS", "NOPERM", "NOAUTH");
    /** What a script's own error ends with; no refusal by the server has it. */
    private static final String FROM_SCRIPT = " script: ";

    private static final Pattern LINE = Pattern.compile("user_(?:script|function):(\\d+)");

    private Failures() {}

    /** The failure itself, without the wrappers of futures. */
    static Throwable unwrap(Throwable error) {
        Throwable inner = error;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** Whether the node does not have the script, so that it surely did not run. */
    static boolean scriptMissing(Throwable error) {
        // The type alone is not enough: a script may answer an error text of its own that begins with NOSCRIPT.
        return error instanceof RedisNoScriptException
                && String.valueOf(error.getMessage()).startsWith("NOSCRIPT No matching script");
    }

    static boolean busy(Throwable error) {
        return error instanceof io.lettuce.core.RedisBusyException && !fromScript(error);
    }

    /** Whether Redis refused to start the script for a reason that passes by itself. */
    static boolean transientRefusal(Throwable error) {
        return (error instanceof RedisLoadingException && !fromScript(error)) || refused(error, TRANSIENT);
    }

    private static boolean refused(Throwable error, Set<String> codes) {
        return error instanceof RedisCommandExecutionException && codes.contains(code(error)) && !fromScript(error);
    }

    private static boolean fromScript(Throwable error) {
        return String.valueOf(error.getMessage()).contains(FROM_SCRIPT);
    }

    private static String code(Throwable error) {
        String message = String.valueOf(error.getMessage());
        int end = message.indexOf(' ');
        return end < 0 ? message : message.substring(0, end);
    }

    /** An answer of Redis that ends the call. */
    static InterlockException translate(LuaScript script, Throwable error) {
        if (busy(error)) {
            return new RedisBusyException(
                    "script " + script.name() + " was not executed: Redis runs another script for"
                            + " longer than its busy threshold; wait for it or end it",
                    error);
        }
        if (refused(error, TRANSIENT) || refused(error, LASTING)) {
            return new NotExecutedException(
                    "script " + script.name() + " was not executed, Redis refused it: " + error.getMessage(), error);
        }
        String message = String.valueOf(error.getMessage());
        String text = message.contains(FROM_SCRIPT) ? message.substring(0, message.lastIndexOf(FROM_SCRIPT)) : message;
        if (script.own() && text.startsWith("WRONGTYPE")) {
            return new CorruptStateException(
                    "script " + script.name() + ": a key holds another type than this primitive uses; nothing was"
                            + " changed: see which other program writes to it",
                    error);
        }
        Matcher line = LINE.matcher(message);
        return new ScriptException(script.name(), line.find() ? Integer.parseInt(line.group(1)) : 0, text, error);
    }

    static InterlockException notSent(String operation, long millis, @Nullable Throwable last) {
        return new NotExecutedException(
                operation + " was not executed: Redis was not reachable for " + millis + " ms"
                        + (last == null ? "" : " (" + last.getMessage() + ")"),
                last);
    }
}
