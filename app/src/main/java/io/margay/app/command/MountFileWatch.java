package io.margay.app.command;

import io.margay.compat.httpd.plan.GatewayPlan.WatchedFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Looks at mod_jk's mount files again every so often, and has everything read again when one has
/// changed. Its state is confined to one thread, `margay-mounts`.
final class MountFileWatch {
    private static final System.Logger LOG = System.getLogger(MountFileWatch.class.getName());

    private final Map<WatchedFile, FileTime> seen = new HashMap<>();
    private final Runnable reload;

    private MountFileWatch(Runnable reload) {
        this.reload = reload;
    }

    /// Begins; ends with the process.
    static void start(List<WatchedFile> files, Runnable reload) {
        if (files.isEmpty()) {
            return;
        }
        MountFileWatch watch = new MountFileWatch(reload);
        ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor(
                        task -> Thread.ofPlatform().name("margay-mounts").daemon().unstarted(task));
        for (WatchedFile file : files) {
            watch.seen.put(file, time(file));
            long millis = Math.max(1, file.every().toMillis());
            var _ =
                    thread.scheduleWithFixedDelay(
                            () -> watch.look(file), millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    /// What throws would not be run again.
    private void look(WatchedFile file) {
        try {
            FileTime now = time(file);
            if (!now.equals(seen.put(file, now))) {
                reload.run();
            }
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "reading everything again failed", e);
        }
    }

    /// When the file was changed; the epoch when it is not there.
    private static FileTime time(WatchedFile file) {
        try {
            return Files.getLastModifiedTime(file.file());
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }
}
