// SPDX-License-Identifier: Apache-2.0
package dev.interlock.ledger;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Another JVM with the class path of the tests. */
final class Jvm {
    private Jvm() {}

    static Process start(Class<?> main, String... args) throws IOException {
        return start(128, main, args);
    }

    /** Starts a main class; its standard output is to be read, its error output is dropped. */
    static Process start(int heapMebibytes, Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-Xmx" + heapMebibytes + "m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator),
                main.getName()));
        command.addAll(Arrays.asList(args));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
