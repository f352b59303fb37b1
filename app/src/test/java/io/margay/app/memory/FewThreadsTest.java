package io.margay.app.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A process that may start no more threads, in a control group that has a limit of tasks, as
/// containers and units of systemd have, goes on and says so. Skipped where the test may make no
/// group.
@Tag("slow")
@EnabledOnOs(OS.LINUX)
final class FewThreadsTest {
    @TempDir Path folder;

    /// A group of its own for a process, which has ended when it is closed.
    private record Group(Path folder) implements AutoCloseable {
        static Group of(long pid) {
            Path first = Path.of("/sys/fs/cgroup/pids");
            Path groups = Files.isDirectory(first) ? first : Path.of("/sys/fs/cgroup");
            Group made = new Group(groups.resolve("margay-test-" + pid));
            try {
                Files.createDirectory(made.folder);
                made.write("cgroup.procs", pid);
                made.write("pids.max", 10_000);
            } catch (IOException e) {
                assumeTrue(false, "no group can be made here: " + e);
            }
            return made;
        }

        void write(String name, long number) throws IOException {
            Files.writeString(folder.resolve(name), "" + number);
        }

        long current() throws IOException {
            return Long.parseLong(Files.readString(folder.resolve("pids.current")).strip());
        }

        @Override
        public void close() throws IOException {
            Files.delete(folder);
        }
    }

    /// @return the status of each of many requests that are under way together
    private static List<Integer> together(Http http, String target) throws Exception {
        List<Integer> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> sent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                sent.add(threads.submit(() -> http.status(target)));
            }
            for (Future<Integer> one : sent) {
                all.add(one.get());
            }
        }
        return all;
    }

    @Test
    void requestsOfApplications_areAnsweredWithoutNewThreads_andHealthSaysThereAreNone()
            throws Exception {
        int port = FreePort.next();
        Files.writeString(folder.resolve("index.html"), "served");
        Files.createDirectories(folder.resolve("app/WEB-INF"));
        Files.writeString(folder.resolve("app/slow.jsp"), "<% Thread.sleep(100); %>slow");
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                admin: 127.0.0.1:%d
                work: work
                hosts: [{routes: {/: {files: .}, /app: {app: app}}}]
                """
                        .formatted(port));
        try (MargayProcess process = MargayProcess.start(folder, "run", "margay.yaml")) {
            Http http = new Http(process.awaitReady());
            Http admin = new Http(port);
            assertEquals("{\"status\":\"up\"}", admin.get("/health").strip());
            try (Group group = Group.of(process.pid())) {
                group.write("pids.max", group.current());
                String few = admin.get("/health");
                assertTrue(few.contains("\"status\":\"degraded\""), few);
                assertTrue(few.contains("\"threadsShort\":true"), few);
                assertEquals("served", http.get("/index.html"));
                for (int status : together(http, "/app/slow.jsp")) {
                    assertEquals(200, status, process::toString);
                }
                String _ = process.awaitLine(line -> line.contains("starts no further thread"));
                group.write("pids.max", 10_000);
                assertEquals("{\"status\":\"up\"}", admin.get("/health").strip());
                process.signal("TERM");
                int _ = process.awaitExit();
            }
        }
    }
}
