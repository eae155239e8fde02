// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import dev.interlock.internal.Keys;
import dev.interlock.internal.LuaScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The access rules of Redis users for Interlock, made from its scripts, so that they allow what those do and nothing else.
 *
 * <p>Two users: applications run as one that can change Interlock's keys through its commands only; in
 * {@link ScriptMode#FUNCTION} it cannot bring Lua of its own. The other deploys functions and reads nothing. Rules for keys
 * of your own scripts, and for the commands inside them, are yours to add. Immutable.
 *
 * <p>Works with Redis 7.0 and newer. {@code CLIENT SETINFO}, which exists from 7.2, is left out: the client library does
 * without it.
 */
public final class AccessRules {
    private static final Pattern CALL = Pattern.compile("\\bp?call\\(\\s*'([A-Za-z]+)'");

    /** What the client, the outbox and the inventory send beside scripts. */
    private static final List<String> PLAIN = List.of(
            "client|id",
            "client|info",
            "client|setname",
            "client|tracking",
            "cluster|info",
            "cluster|myid",
            "cluster|nodes",
            "cluster|shards",
            "cluster|slots",
            "hello",
            "hscan",
            "info",
            "mget",
            "ping",
            "scan",
            "slowlog|get",
            "subscribe",
            "unsubscribe",
            "wait",
            "xread",
            "xtrim");

    /** To call functions, and for the inventory to see which are there. */
    private static final List<String> FUNCTIONS = List.of("fcall", "function|list");

    /** To call scripts by their digests, and for the inventory to see which are there. */
    private static final List<String> TEXTS = List.of("evalsha", "script|exists", "script|load");

    private static final List<String> DEPLOYER =
            List.of("client|info", "cluster|nodes", "function|list", "function|load", "hello", "info", "ping");

    private final ScriptMode mode;
    private final String prefix;

    private AccessRules(ScriptMode mode, String prefix) {
        this.mode = mode;
        this.prefix = prefix;
    }

    /**
     * Makes the rules.
     *
     * @param mode how the application runs scripts
     * @param keyPrefix as in {@link InterlockBuilder#keyPrefix}
     * @return the rules
     * @throws IllegalArgumentException if the prefix holds a sign it must not
     */
    public static AccessRules of(ScriptMode mode, String keyPrefix) {
        return new AccessRules(Objects.requireNonNull(mode, "mode must not be null"), new Keys(keyPrefix).prefix());
    }

    /**
     * Rules of the applications' user, without name and password: what follows {@code ACL SETUSER app on >password}.
     *
     * @return one rule an element
     */
    public List<String> application() {
        TreeSet<String> commands = new TreeSet<>(PLAIN);
        for (LuaScript script : OwnScripts.all()) {
            Matcher call = CALL.matcher(script.body());
            while (call.find()) {
                commands.add(call.group(1).toLowerCase(Locale.ROOT));
            }
        }
        commands.addAll(mode == ScriptMode.FUNCTION ? FUNCTIONS : TEXTS);
        List<String> rules = new ArrayList<>(List.of("resetkeys", "~" + prefix + ":*"));
        rules.addAll(List.of("resetchannels", "&" + prefix + ":*", "-@all"));
        commands.forEach(command -> rules.add('+' + command));
        return List.copyOf(rules);
    }

    /**
     * Rules of the user who deploys functions, likewise. It has no key.
     *
     * @return one rule an element
     */
    public List<String> deployer() {
        List<String> rules = new ArrayList<>(List.of("resetkeys", "resetchannels", "-@all"));
        DEPLOYER.forEach(command -> rules.add('+' + command));
        return List.copyOf(rules);
    }
}
