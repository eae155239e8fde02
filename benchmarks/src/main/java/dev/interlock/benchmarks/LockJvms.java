// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Several JVMs that run {@link LockJvmMain}. */
final class LockJvms implements AutoCloseable {
    private final List<Process> processes = new ArrayList<>();

    LockJvms(int count, int port) throws IOException {
        for (int i = 0; i < count; i++) {
            processes.add(new ProcessBuilder(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-Xmx512m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LockJvmMain.class.getName(),
                            Integer.toString(port))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        }
    }

    /** Has all do the same at once, and waits for their answers. */
    List<String> all(String command) throws IOException {
        for (Process process : processes) {
            process.outputWriter().write(command + '\n');
            process.outputWriter().flush();
        }
        List<String> answers = new ArrayList<>();
        for (Process process : processes) {
            String answer = process.inputReader().readLine();
            if (answer == null) {
                throw new IOException("a JVM ended early");
            }
            answers.add(answer);
        }
        return answers;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroy);
    }
}
