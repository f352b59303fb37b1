package io.margay.testkit.fault;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.opentest4j.TestAbortedException;

/// A disk of its own, small enough to fill up: a `tmpfs`, which only root may mount. Used by one
/// thread.
public final class SmallDisk implements AutoCloseable {
    private static final int CHUNK_BYTES = 4_096;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /// Mounts one on a folder.
    ///
    /// @param size as `mount` takes it, such as `6m`
    /// @throws TestAbortedException where none can be mounted
    public static SmallDisk mount(Path folder, String size) throws IOException {
        Files.createDirectories(folder);
        boolean root = "root".equals(System.getProperty("user.name"));
        String[] mount = {
            Program.of("mount"), "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString()
        };
        if (!root || !run(mount)) {
            throw new TestAbortedException("a small disk cannot be mounted");
        }
        return new SmallDisk(folder);
    }

    private static boolean run(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Where it is.
    public Path folder() {
        return folder;
    }

    private Path filling() {
        return folder.resolve("filling");
    }

    /// Leaves no byte.
    public void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(filling())) {
            byte[] chunk = new byte[CHUNK_BYTES];
            while (true) {
                out.write(chunk);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space")) {
                throw e;
            }
        }
    }

    /// Has room again.
    public void free() throws IOException {
        Files.deleteIfExists(filling());
    }

    @Override
    public void close() throws IOException {
        if (Program.find("umount").isPresent()) {
            boolean _ = run(Program.of("umount"), "-l", folder.toString());
        }
    }
}
