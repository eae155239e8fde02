// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ExecutablesTest {
    @Test
    void takesTheChosenExecutableBeforeAllOthers() {
        Path sh = Executables.onPath("sh").orElseThrow();
        assertThat(Executables.redisServer(sh.toString())).isEqualTo(sh);
        assertThatThrownBy(() -> Executables.redisServer("/no/such/redis"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("INTERLOCK_REDIS_SERVER names no executable file: /no/such/redis");
    }

    @Test
    void repairsADamagedExecutable() throws IOException {
        Path redis = Executables.redisServer(null);
        Path copy = BinaryCache.executable("executables-test", "good".getBytes());
        Files.writeString(copy, "evil");
        assertThat(BinaryCache.executable("executables-test", "good".getBytes()))
                .isEqualTo(copy)
                .hasContent("good");
        Files.delete(copy);
        assertThat(redis.getParent())
                .satisfies(
                        root -> assertThat(Files.getPosixFilePermissions(root)).hasSize(3));
    }

    @Test
    void unpacksADirectoryOnceAlsoWhenManyAskAndAgainWhenFilesAreGone() throws Exception {
        BinaryCache.Unpacker unpacker = directory -> {
            for (int i = 0; i < 50; i++) {
                Files.writeString(directory.resolve("file" + i), "content " + i);
            }
        };
        byte[] archive = ("archive" + System.nanoTime()).getBytes();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Path>> all = threads.invokeAll(
                    Collections.nCopies(8, () -> BinaryCache.directory("executables-test", archive, unpacker)));
            Path first = all.get(0).get();
            for (Future<Path> one : all) {
                assertThat(one.get()).isEqualTo(first);
            }
            Files.delete(first.resolve("file7"));
            assertThat(BinaryCache.directory("executables-test", archive, unpacker)
                            .resolve("file7"))
                    .hasContent("content 7");
            for (int i = 0; i < 50; i++) {
                Files.delete(first.resolve("file" + i));
            }
            Files.delete(first.resolve(".size"));
            Files.delete(first);
            try (var entries = Files.list(first.getParent())) {
                assertThat(entries.filter(
                                entry -> entry.getFileName().toString().startsWith(".unpack-")))
                        .isEmpty();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void namesTheArchiveOfEachPlatform() {
        assertThat(PostgresBinaries.resource("linux-amd64")).isEqualTo("/postgres-linux-x86_64.txz");
        assertThat(PostgresBinaries.resource("darwin-arm64")).isEqualTo("/postgres-darwin-arm_64.txz");
    }
}
