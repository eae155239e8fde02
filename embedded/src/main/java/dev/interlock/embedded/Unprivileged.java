// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How root runs PostgreSQL, which refuses to run as root: in a user namespace of its own where the kernel allows that, else as
 * the user nobody, who gets the files.
 *
 * @param prefix what the command begins with
 * @param account to whom files are handed over, or null
 */
record Unprivileged(List<String> prefix, @Nullable Account account) {
    /** The numbers of a user. */
    record Account(int user, int group) {}

    /** The way for the owner of a file, which this JVM has just made. */
    static Unprivileged of(Path ownFile) {
        try {
            if (!Integer.valueOf(0).equals(Files.getAttribute(ownFile, "unix:uid"))) {
                return new Unprivileged(List.of(), null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot tell the owner of " + ownFile, e);
        }
        return inNamespace()
                .or(Unprivileged::asNobody)
                .orElseThrow(() -> new IllegalStateException("PostgreSQL refuses to run as root. Neither does"
                        + " `unshare -U` work (util-linux; the kernel may forbid user namespaces), nor is there"
                        + " `setpriv` and a user nobody: provide one of them, or run as another user"));
    }

    private static Optional<Unprivileged> inNamespace() {
        return Executables.onPath("unshare")
                .map(unshare -> List.of(unshare.toString(), "-U"))
                .filter(prefix -> succeeds(
                        Stream.concat(prefix.stream(), Stream.of("true")).toList()))
                .map(prefix -> new Unprivileged(prefix, null));
    }

    /** The second choice, because of the copy of the executables that it needs. */
    static Optional<Unprivileged> asNobody() {
        return Executables.onPath("setpriv")
                .flatMap(setpriv -> nobody().map(account -> new Unprivileged(
                        List.of(
                                setpriv.toString(),
                                "--reuid=" + account.user(),
                                "--regid=" + account.group(),
                                "--clear-groups"),
                        account)));
    }

    private static Optional<Account> nobody() {
        try (Stream<String> users = Files.lines(Path.of("/etc/passwd"))) {
            return users.map(line -> line.split(":"))
                    .filter(fields -> fields.length > 3 && fields[0].equals("nobody"))
                    .map(fields -> new Account(Integer.parseInt(fields[2]), Integer.parseInt(fields[3])))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean succeeds(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The executables, where the user can reach them: those of root are root's alone. */
    Path bin(Path bin, Path home) {
        if (account == null) {
            return bin;
        }
        Path from = bin.resolveSibling("");
        Path to = home.resolve("postgres");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.copy(file, copy, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot copy PostgreSQL", e);
        }
        handOver(home);
        return to.resolve("bin");
    }

    /** Gives a directory, made if it is not there, and all in it to the user. */
    void handOver(Path directory) {
        Account to = account;
        if (to == null) {
            return;
        }
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    Files.setAttribute(file, "unix:uid", to.user(), LinkOption.NOFOLLOW_LINKS);
                    Files.setAttribute(file, "unix:gid", to.group(), LinkOption.NOFOLLOW_LINKS);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot hand " + directory + " over", e);
        }
    }
}
