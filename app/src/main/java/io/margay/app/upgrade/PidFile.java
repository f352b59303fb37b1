package io.margay.app.upgrade;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file that `CATALINA_PID` names, which `catalina.sh` has written: the process that follows
/// stands in it from then on. Stateless.
public final class PidFile {
    private static final System.Logger LOG = System.getLogger(PidFile.class.getName());

    private PidFile() {}

    /// Names another process where the file names this one.
    public static void succeededBy(long pid) {
        String name = System.getenv().getOrDefault("CATALINA_PID", "");
        if (!name.isEmpty()) {
            replace(Path.of(name), ProcessHandle.current().pid(), pid);
        }
    }

    static void replace(Path file, long from, long to) {
        try {
            if (Files.readString(file).strip().equals(String.valueOf(from))) {
                Files.writeString(file, to + "\n");
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0}: {1}", file, e.toString());
        }
    }
}
