package io.margay.app.it;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// php-fpm of the system, serving on a Unix socket.
public final class PhpFpm implements AutoCloseable {
    private static final long SECONDS_MAX = 30;

    private final Process process;
    private final Path socket;

    private PhpFpm(Process process, Path socket) {
        this.process = process;
        this.socket = socket;
    }

    /// Starts it; `folder` holds its socket, its configuration and its log.
    public static PhpFpm start(Path folder) throws IOException {
        Path socket = folder.resolve("php.sock");
        Path config = folder.resolve("php-fpm.conf");
        Path log = folder.resolve("php-fpm.log");
        Files.writeString(
                config,
                """
                [global]
                daemonize = no
                error_log = %s
                [www]
                listen = %s
                listen.mode = 0666
                pm = static
                pm.max_children = 2
                catch_workers_output = no
                php_admin_value[post_max_size] = 8M
                php_admin_value[date.timezone] = UTC
                php_admin_flag[log_errors] = on
                %s
                """
                        .formatted(log, socket, isRoot() ? "user = root\ngroup = root" : ""));
        ProcessBuilder builder =
                new ProcessBuilder(Program.newest("php-fpm"), "-F", "-R", "-y", config.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("php-fpm.out").toFile());
        // Where the tests were started with signals ignored (nohup), it would not hear them.
        Process process = builder.start();
        PhpFpm started = new PhpFpm(process, socket);
        started.await(log);
        return started;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private void await(Path log) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!Files.exists(socket)) {
            if (System.nanoTime() - end > 0 || !process.isAlive()) {
                process.destroyForcibly();
                throw new AssertionError(
                        "php-fpm does not start: "
                                + (Files.exists(log) ? Files.readString(log) : "no log"));
            }
            LockSupport.parkNanos(10_000_000L);
        }
    }

    public Path socket() {
        return socket;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
