// SPDX-License-Identifier: Apache-2.0
package dev.interlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.interlock.internal.LuaScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OwnScriptsTest {
    private static final Path FILES = Path.of("src/main/resources/dev/interlock");
    /** Put together from parts, which are no scripts. */
    private static final String LIMITS = "limit/";

    @Test
    void theListNamesEveryFile() throws IOException {
        try (Stream<Path> files = Files.walk(FILES)) {
            Set<String> names = files.filter(file -> file.toString().endsWith(".lua"))
                    .map(file -> FILES.relativize(file).toString().replace('\\', '/'))
                    .map(file -> file.substring(0, file.length() - ".lua".length()))
                    .filter(name -> !name.startsWith(LIMITS))
                    .collect(Collectors.toSet());
            assertThat(OwnScripts.all())
                    .extracting(LuaScript::name)
                    .filteredOn(name -> !name.startsWith(LIMITS))
                    .containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void noTwoScriptsShareAFunction() {
        List<LuaScript> all = OwnScripts.all();
        assertThat(all).extracting(LuaScript::function).doesNotHaveDuplicates();
        assertThat(all)
                .extracting(LuaScript::function)
                .allMatch(name -> name.matches("interlock_\\w+_v\\d+_[0-9a-f]{8}"));
    }

    @Test
    void everyCommandOfEveryScriptIsInTheRules() {
        List<String> rules = AccessRules.of(ScriptMode.FUNCTION, "shop").application();
        assertThat(rules)
                .startsWith("resetkeys", "~shop:*", "resetchannels", "&shop:*", "-@all")
                .contains("+xadd", "+zremrangebyscore", "+publish", "+time", "+fcall")
                .doesNotContain("+evalsha", "+script|load", "+eval", "+function|load");
        assertThat(AccessRules.of(ScriptMode.EVALSHA, "shop").application())
                .contains("+evalsha", "+script|load")
                .doesNotContain("+eval", "+fcall");
    }
}
