// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import dev.interlock.flashsale.console.FailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A node in a JVM of its own, started from the same class path with the same JVM options. It ends when this JVM does, however that ends, because then
 * its input ends.
 */
final class NodeProcess implements Node {
    static final String COMMAND = "rush-node";
    static final String GO = "go";

    private final NodeTask task;
    private final Process process;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private volatile long progress;

    private NodeProcess(NodeTask task, Process process) {
        this.task = task;
        this.process = process;
        Thread reader = new Thread(this::read, "rush-node-" + task.share().node());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts the process and hands it its task; returns before it is ready. */
    static NodeProcess start(NodeTask task, String mainClass) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass, COMMAND));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        try {
            NodeProcess node = new NodeProcess(task, builder.start());
            node.write(NodeLine.JSON.writeValueAsString(task));
            return node;
        } catch (IOException e) {
            throw new FailedException("cannot start a node with " + java + ": " + FailedException.lineOf(e), e);
        }
    }

    /** Waits until the process is connected. */
    void awaitReady() {
        join(ready);
    }

    @Override
    public void start() {
        write(GO);
    }

    private void write(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + '\n').getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            fail("does not listen: " + FailedException.lineOf(e));
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(NodeLine.JSON.readValue(line, NodeLine.class));
            }
            fail("ended without a report");
        } catch (IOException | RuntimeException e) {
            fail("cannot be understood: " + FailedException.lineOf(e));
        }
    }

    private void take(NodeLine line) {
        progress = line.progress();
        ready.complete(null);
        if (line.error() != null) {
            fail(line.error());
        }
        if (line.report() != null) {
            outcome.complete(line.report().outcome(task.workload().coupons()));
        }
    }

    private void fail(String why) {
        FailedException failure = new FailedException("node " + task.share().node() + " " + why, null);
        outcome.completeExceptionally(failure);
        ready.completeExceptionally(failure);
    }

    @Override
    public long progress() {
        return progress;
    }

    @Override
    public boolean ended() {
        return outcome.isDone();
    }

    @Override
    public Outcome outcome() {
        return join(outcome);
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof FailedException failed ? failed : e;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
