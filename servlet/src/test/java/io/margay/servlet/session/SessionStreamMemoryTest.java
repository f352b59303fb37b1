package io.margay.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What it takes beside the sessions themselves to write all of them into a file, and to read them
/// back: the heap that is in use after a collection, in the middle of it. In a JVM of its own,
/// whose heap nobody else uses.
///
/// `margay.sessions.count` sessions of a kilobyte.
@Tag("slow")
final class SessionStreamMemoryTest {
    private static final int COUNT = Integer.getInteger("margay.sessions.count", 10_000);

    /// How often the heap is looked at on the way, after a collection each.
    private static final int LOOKS = 4;

    private static final int STEP = COUNT / LOOKS;

    /// Less than a copy of all of them.
    private static final long EXTRA_MAX = Math.min(16L << 20, COUNT * 512L);

    private static final List<Long> USED = new ArrayList<>();
    private static int passed;

    private final Path folder;

    SessionStreamMemoryTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /// A kilobyte that looks at the heap when its turn has come.
    private static final class Kilobyte implements Serializable {
        private static final long serialVersionUID = 1L;
        private final byte[] bytes = new byte[1024];

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            look();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            look();
        }

        private static void look() {
            if (++passed % STEP == 0) {
                USED.add(used());
            }
        }
    }

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static final SessionEvents NOTHING =
            new SessionEvents() {
                @Override
                public ServletContext context() {
                    return null;
                }

                @Override
                public void created(WebSession session) {}

                @Override
                public void destroyed(WebSession session) {}

                @Override
                public void idChanged(WebSession session, String oldId) {}

                @Override
                public void attributeChanged(
                        WebSession session, String name, Object before, Object after) {}

                @Override
                public void failed(String what, Throwable cause) {
                    throw new IllegalStateException(what, cause);
                }
            };

    private MemorySessionStore store() {
        return new MemorySessionStore(
                new SessionStores.Purpose(
                        "localhost",
                        new SessionIds(),
                        NOTHING,
                        SessionClock.SYSTEM,
                        COUNT,
                        folder.resolve("sessions"),
                        getClass().getClassLoader(),
                        Duration.ofSeconds(30)));
    }

    @Test
    @Timeout(120)
    void sessions_writtenAndReadBack_takeLittleBesideThemselves() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Dmargay.sessions.count=" + COUNT,
                                "-cp",
                                System.getProperty("java.class.path"),
                                SessionStreamMemoryTest.class.getName(),
                                folder.toString())
                        .redirectErrorStream(true)
                        .start();
        try {
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), said);
        } finally {
            process.destroyForcibly();
        }
    }

    /// Measures in the folder that is given; ends with 1 where it takes too much.
    public static void main(String[] arguments) throws Exception {
        new SessionStreamMemoryTest(Path.of(arguments[0])).measure();
    }

    private void measure() throws Exception {
        USED.clear();
        passed = 0;
        MemorySessionStore before = store();
        long empty = used();
        for (int i = 0; i < COUNT; i++) {
            before.create(600).setAttribute("kilobyte", new Kilobyte());
        }
        long full = used();
        before.stop();
        assertEquals(COUNT, before.totals().kept());
        assertEquals(LOOKS, USED.size());
        for (long used : USED) {
            assertTrue(used - full <= EXTRA_MAX, () -> "written: " + mebibytes(used - full));
        }
        USED.clear();
        MemorySessionStore after = store();
        long start = used();
        assertEquals(COUNT, after.start());
        long read = used() - start;
        assertEquals(LOOKS, USED.size());
        for (int i = 0; i < USED.size(); i++) {
            long extra = USED.get(i) - start - read * (i + 1) / LOOKS;
            assertTrue(extra <= EXTRA_MAX, () -> "read: " + mebibytes(extra));
        }
        assertTrue(start - empty <= EXTRA_MAX, () -> "left: " + mebibytes(start - empty));
        assertEquals(COUNT, after.size());
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB more than the sessions";
    }
}
