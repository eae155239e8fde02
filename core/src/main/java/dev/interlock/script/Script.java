// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script;

import dev.interlock.internal.LuaScript;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * One of your own Lua scripts, with its header checked. Immutable and thread-safe; make it once and keep it.
 *
 * @param <T> what it answers
 */
public final class Script<T> {
    private final LuaScript lua;
    private final Reply<T> reply;

    private Script(LuaScript lua, Reply<T> reply) {
        this.lua = lua;
        this.reply = reply;
    }

    /**
     * Reads a script from the class path.
     *
     * @param path where it is, for example {@code lua/transfer.lua}
     * @param reply what it answers
     * @param <T> type of the answer
     * @return the script
     * @throws IllegalArgumentException if there is none, or its header is incomplete
     */
    public static <T> Script<T> fromClasspath(String path, Reply<T> reply) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? Script.class.getClassLoader() : context;
        try (InputStream in = loader.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalArgumentException("no script " + path + " is on the class path");
            }
            return of(path, new String(in.readAllBytes(), StandardCharsets.UTF_8), reply);
        } catch (IOException e) {
            throw new UncheckedIOException("the script " + path + " cannot be read", e);
        }
    }

    /**
     * Makes a script from its source.
     *
     * @param name name for messages and metrics
     * @param source the Lua source: {@code #!lua}, then a comment with a summary, {@code KEYS[1] …}, {@code ARGV[1] …},
     *     {@code Returns …}, {@code Cost …} and, if running it twice has one effect, {@code Retry safe: why}
     * @param reply what it answers
     * @param <T> type of the answer
     * @return the script
     * @throws IllegalArgumentException if the header is incomplete
     */
    public static <T> Script<T> of(String name, String source, Reply<T> reply) {
        return new Script<>(LuaScript.of(name, source), reply);
    }

    /**
     * Name for messages and metrics.
     *
     * @return the name
     */
    public String name() {
        return lua.name();
    }

    /**
     * What Redis knows it by.
     *
     * @return 40 hex digits
     */
    public String sha1() {
        return lua.sha1();
    }

    LuaScript lua() {
        return lua;
    }

    Reply<T> reply() {
        return reply;
    }
}
