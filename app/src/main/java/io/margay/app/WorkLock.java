package io.margay.app;

import io.margay.app.config.FileFailure;
import io.margay.app.config.StartException;
import io.margay.server.files.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Keeps a work folder for one server: two would overwrite each other's sessions and pages. The
/// system lets go of it when the process ends, however that happens. Immutable.
record WorkLock(FileChannel file) implements AutoCloseable {
    /// Makes the folder if it is missing, and takes it.
    ///
    /// @param shared whether it is that of a server that is about to end: then it is this one's
    ///   from its end on
    /// @throws StartException when another server has it, or it cannot be written
    static WorkLock take(Path folder, boolean shared) {
        try {
            OwnerOnly.createFolders(folder);
            FileChannel file =
                    FileChannel.open(
                            folder.resolve("lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (shared) {
                Thread.ofPlatform().name("margay-work").daemon().start(() -> await(file));
            } else if (isTaken(file)) {
                file.close();
                throw new StartException(
                        "the work folder "
                                + folder
                                + " is in use by another server; choose another with --work DIR or"
                                + " the key \"work\"");
            }
            return new WorkLock(file);
        } catch (IOException e) {
            throw new StartException(
                    "the work folder "
                            + folder
                            + " cannot be used: "
                            + FileFailure.text(e)
                            + "; choose another with --work DIR or the key \"work\"",
                    e);
        }
    }

    /// Waits until the other server has ended, or this one has.
    private static void await(FileChannel file) {
        try {
            FileLock _ = file.lock();
        } catch (IOException | OverlappingFileLockException e) {
            System.getLogger(WorkLock.class.getName())
                    .log(System.Logger.Level.DEBUG, "the lock of the work folder", e);
        }
    }

    private static boolean isTaken(FileChannel file) throws IOException {
        try {
            FileLock lock = file.tryLock();
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true; // By another server of this process.
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            System.getLogger(WorkLock.class.getName())
                    .log(System.Logger.Level.DEBUG, "the lock of the work folder", e);
        }
    }
}
