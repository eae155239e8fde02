// SPDX-License-Identifier: Apache-2.0
package dev.interlock.embedded;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Unpacked executables, kept between runs in a directory of this user below {@code java.io.tmpdir}. Each entry is named
 * by the hash of its content and appears by one atomic rename, so any number of JVMs may unpack at the same time.
 */
final class BinaryCache {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> PRIVATE_ATTRIBUTE = PosixFilePermissions.asFileAttribute(PRIVATE);

    /** Fills a new, empty directory. */
    @FunctionalInterface
    interface Unpacker {
        void unpack(Path directory) throws IOException;
    }

    private BinaryCache() {}

    /** The path of an executable file with exactly this content. */
    static Path executable(String name, byte[] content) throws IOException {
        Path root = root();
        Path target = root.resolve(name + "-" + hash(content));
        if (Files.isExecutable(target) && hash(Files.readAllBytes(target)).equals(hash(content))) {
            return target;
        }
        Path fresh = Files.createTempFile(root, ".unpack-", "", PRIVATE_ATTRIBUTE);
        Files.write(fresh, content);
        return Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * The path of a directory that {@code unpacker} has filled from {@code archive}; unpacked again when files have gone
     * since, as cleaners of temporary directories make them.
     */
    static Path directory(String name, byte[] archive, Unpacker unpacker) throws IOException {
        Path root = root();
        Path target = root.resolve(name + "-" + hash(archive));
        if (isComplete(target)) {
            return target;
        }
        Path fresh = Files.createTempDirectory(root, ".unpack-", PRIVATE_ATTRIBUTE);
        Path old = fresh.resolveSibling(fresh.getFileName() + "-old");
        try {
            unpacker.unpack(fresh);
            Files.writeString(sizeFile(fresh), size(fresh));
            if (Files.exists(target) && !isComplete(target)) {
                Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!isComplete(target)) { // otherwise another JVM was faster
                throw e;
            }
        } finally {
            delete(fresh);
            delete(old);
        }
        return target;
    }

    private static Path root() throws IOException {
        Path root = Path.of(
                System.getProperty("java.io.tmpdir", "/tmp"),
                "interlock-embedded-" + System.getProperty("user.name", "user"));
        try {
            Files.createDirectory(root, PRIVATE_ATTRIBUTE);
        } catch (FileAlreadyExistsException e) {
            // Made earlier. In a shared temporary directory it may be a trap of another user: executables run from it.
            boolean mine = Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)
                    && Files.getPosixFilePermissions(root, LinkOption.NOFOLLOW_LINKS)
                            .equals(PRIVATE)
                    && ownUser()
                            .equals(Files.getOwner(root, LinkOption.NOFOLLOW_LINKS)
                                    .getName());
            if (!mine) {
                throw new IOException(root + " is not a directory of this user with mode 0700: delete it", e);
            }
        }
        return root;
    }

    private static String ownUser() throws IOException {
        Path probe = Files.createTempFile("interlock-", ".owner");
        try {
            return Files.getOwner(probe).getName();
        } finally {
            Files.delete(probe);
        }
    }

    private static Path sizeFile(Path directory) {
        return directory.resolve(".size");
    }

    private static boolean isComplete(Path directory) throws IOException {
        Path sizeFile = sizeFile(directory);
        return Files.isRegularFile(sizeFile) && Files.readString(sizeFile).equals(size(directory));
    }

    private static String size(Path directory) throws IOException {
        long files = 0;
        long bytes = 0;
        for (Path path : walk(directory)) {
            if (Files.isRegularFile(path) && !path.equals(sizeFile(directory))) {
                files++;
                bytes += Files.size(path);
            }
        }
        return files + " files, " + bytes + " bytes";
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            for (Path path : walk(directory)) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** All paths in it, children before their parents. */
    private static List<Path> walk(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.sorted(Comparator.reverseOrder()).toList();
        }
    }

    private static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
