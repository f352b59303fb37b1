package io.margay.app.it;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// Servers with thousands of things, what they cost, and the file that their figures go to. Any
/// thread.
///
/// @param folder of their files
record GrowthServers(Path folder) {
    /// So that nginx needs none of the system's.
    static final String OWN_FOLDERS =
            "client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f;"
                    + " uwsgi_temp_path u; scgi_temp_path s;\n";

    private static final Path REPORT =
            Path.of(System.getProperty("margay.growth.report", "target/growth.md"));

    static void report(String row) throws IOException {
        Files.writeString(REPORT, row + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    static boolean has(String program) {
        return !Program.isHidden(program)
                && Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(at -> Files.isExecutable(Path.of(at, program)));
    }

    /// That it has been started with the cache, where one was made: `make scale` measures that.
    static void requireCache(ServerProcess margay) throws IOException {
        String line = Files.readString(Path.of("/proc/" + margay.pid() + "/cmdline"));
        if (ServerProcess.CACHE.isPresent() && !line.contains("-XX:AOTCache=")) {
            throw new IOException("it has been started without the cache: " + line);
        }
    }

    static double cpuSeconds(ServerProcess server) {
        return ProcessHandle.of(server.pid())
                        .orElseThrow()
                        .info()
                        .totalCpuDuration()
                        .orElseThrow()
                        .toMillis()
                / 1e3;
    }

    static long mib(ServerProcess server) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + server.pid() + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow()
                / 1024;
    }

    /// CPU seconds and memory.
    static String cost(ServerProcess server) throws IOException {
        return "%.2f CPU-s, %d MiB".formatted(cpuSeconds(server), mib(server));
    }

    ServerProcess nginx(String http) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("nginx.conf"),
                        "daemon off; master_process off; pid nginx.pid; error_log nginx.log;\n"
                                + "worker_rlimit_nofile 20000;\n"
                                + "events { worker_connections 19000; }\nhttp { access_log off;\n"
                                + OWN_FOLDERS
                                + http
                                + "}\n");
        return ServerProcess.other(folder, "nginx", "-p", folder.toString(), "-c", file.toString());
    }

    ServerProcess haproxy(String sections) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("haproxy.cfg"),
                        """
                        global
                            nbthread 1
                        defaults
                            mode http
                            timeout client 60s
                            timeout server 60s
                            timeout connect 5s
                        %s\
                        """
                                .formatted(sections));
        return ServerProcess.other(folder, "haproxy", "-db", "-f", file.toString());
    }
}
