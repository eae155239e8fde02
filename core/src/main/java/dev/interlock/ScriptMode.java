// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

/** How Redis is made to know scripts; what they do is the same, from the same files. */
public enum ScriptMode {
    /**
     * By their digests: SCRIPT LOAD and EVALSHA. Needs no preparation. The scripts are gone after a restart or a
     * {@code SCRIPT FLUSH} and are loaded again then, without a failed call.
     */
    EVALSHA,
    /**
     * As functions: FUNCTION LOAD and FCALL. Functions are persisted and replicated with the data, and an administrator can
     * deploy them, so that the application's Redis user needs no right to run Lua of its own making. Each script is a
     * library whose name holds its version and content, so versions live side by side during a roll-out.
     *
     * <p>Costs the same as {@link #EVALSHA}. While memory is full, a node that lacks a function cannot be given it.
     */
    FUNCTION
}
