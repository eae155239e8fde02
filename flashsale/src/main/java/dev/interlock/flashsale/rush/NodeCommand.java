// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.Interlock;
import dev.interlock.flashsale.console.FailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;

/** The process of one node of a rush. Reads a {@link NodeTask} and a word to go, prints {@link NodeLine}s. */
@Command(name = NodeProcess.COMMAND, hidden = true, description = "One node of a rush; started by rush itself.")
public final class NodeCommand implements Callable<Integer> {
    private static final long PROGRESS_NANOS = 20_000_000;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** For picocli. */
    public NodeCommand() {}

    @Override
    public Integer call() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        NodeTask task = NodeLine.JSON.readValue(in.readLine(), NodeTask.class);
        try (Interlock interlock = RushSettings.connect(task.redis());
                LocalNode node = new LocalNode(
                        new Load(task.workload(), task.share(), interlock.pool(task.pool()), task.threads()))) {
            say(new NodeLine(0, null, null));
            if (!NodeProcess.GO.equals(in.readLine())) {
                return 1;
            }
            endWithParent(in);
            node.start();
            while (!node.ended()) {
                say(new NodeLine(node.progress(), null, null));
                LockSupport.parkNanos(PROGRESS_NANOS);
            }
            say(new NodeLine(node.progress(), NodeLine.Report.of(node.outcome()), null));
            return 0;
        } catch (RuntimeException e) {
            say(new NodeLine(0, null, FailedException.lineOf(e)));
            return 1;
        }
    }

    private void say(NodeLine line) {
        out.println(NodeLine.JSON.writeValueAsString(line));
    }

    /** The parent never writes again, so the input ends when the parent does. */
    private static void endWithParent(BufferedReader in) {
        Thread watch = new Thread(
                () -> {
                    try {
                        in.readLine();
                    } catch (IOException e) {
                        // As good as an end.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "rush-parent-watch");
        watch.setDaemon(true);
        watch.start();
    }
}
