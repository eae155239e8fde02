// SPDX-License-Identifier: Apache-2.0
package dev.interlock.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.Topology;
import dev.interlock.internal.LuaScript;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What the requests of one script call do to each other: nothing. */
class LockBatchIT extends LockSetup {
    private static final String MINE = "ab".repeat(16);
    private static final String THEIRS = "cd".repeat(16);
    private static final List<String> GRANT = List.of("channel\t\thost\t1", "64", "1800000", "172800000", "1500");

    LockBatchIT() {
        super(Topology.STANDALONE);
    }

    private List<Object> run(String verb, List<String> names, List<String> requests) {
        List<String> keys = new ArrayList<>();
        for (String name : names) {
            keys.addAll(List.of(key(name), key(name) + ":fence", key(name) + ":queue", key(name) + ":waiters"));
        }
        List<String> args = new ArrayList<>(GRANT);
        args.addAll(requests);
        String sha = redis.scriptLoad(LuaScript.own(LockLane.class, verb).source());
        return redis.evalsha(sha, ScriptOutputType.MULTI, keys.toArray(String[]::new), args.toArray(String[]::new));
    }

    @Test
    void ofTwoRequestsForOneFreeLockTheFirstIsGrantedAndTheSecondFindsItHeld() {
        String name = Topology.name("twice");
        List<Object> answers =
                run("acquire", List.of(name, name), List.of(MINE, "20000", "once", THEIRS, "20000", "once"));
        assertThat(answers.get(0)).isInstanceOf(Long.class);
        assertThat(answers.get(1)).asInstanceOf(InstanceOfAssertFactories.LIST).startsWith(1L);
        assertThat(redis.get(key(name))).startsWith(MINE);
        assertThat(run(
                        "release",
                        List.of(name, name, name),
                        List.of(THEIRS, "release", MINE, "release", MINE, "release")))
                .containsExactly(List.of(1L), 0L, List.of(1L));
        onlyTheFenceIsLeft(name);
    }

    @Test
    void aFenceOfAnotherProgramFailsItsOwnRequestOnlyAndStays() {
        String sound = Topology.name("sound");
        String list = Topology.name("list");
        String text = Topology.name("text");
        redis.rpush(key(list) + ":fence", "theirs");
        redis.set(key(text) + ":fence", "theirs");
        List<Object> answers = run(
                "acquire",
                List.of(list, sound, text),
                List.of(MINE, "20000", "once", MINE, "20000", "once", MINE, "20000", "once"));
        assertThat(answers.get(0)).asInstanceOf(InstanceOfAssertFactories.LIST).startsWith(2L);
        assertThat(answers.get(1)).isInstanceOf(Long.class);
        assertThat(answers.get(2)).asInstanceOf(InstanceOfAssertFactories.LIST).startsWith(2L);
        assertThat(redis.exists(key(list), key(text))).isZero();
        assertThat(redis.lrange(key(list) + ":fence", 0, -1)).containsExactly("theirs");
        assertThat(redis.get(key(text) + ":fence")).isEqualTo("theirs");
        redis.del(key(list) + ":fence", key(text) + ":fence", key(sound));
    }

    @Test
    void aBatchWithAWaiterStillGivesEachLockToWhoIsOwedIt() {
        String waited = Topology.name("waited");
        String free = Topology.name("free");
        run("acquire", List.of(waited, free), List.of(MINE, "20000", "once", MINE, "20000", "once"));
        run("acquire", List.of(waited), List.of(THEIRS, "20000", "queue"));
        assertThat(run("release", List.of(free, waited), List.of(MINE, "release", MINE, "release")))
                .containsExactly(0L, List.of(0L, 0L, 0L));
        assertThat(redis.get(key(waited))).startsWith(THEIRS);
        assertThat(redis.exists(key(free))).isZero();
        // Beside a lock that is held, a free one is granted, and a queue is kept to.
        run("acquire", List.of(waited), List.of(MINE, "20000", "queue"));
        redis.del(key(waited));
        List<Object> answers =
                run("acquire", List.of(free, waited), List.of(THEIRS, "20000", "once", THEIRS, "20000", "once"));
        assertThat(answers.get(0)).isInstanceOf(Long.class);
        assertThat(answers.get(1)).isEqualTo(List.of(1L, 0L));
        assertThat(run("release", List.of(waited, free), List.of(MINE, "abandon", THEIRS, "release")))
                .containsExactly(List.of(1L), 0L);
        onlyTheFenceIsLeft(waited);
    }
}
