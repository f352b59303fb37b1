package io.margay.app.agreement.nginx;

import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// nginx of the system, which listens. Confined to one thread.
record NginxProcess(Process process, int timeoutMillis) implements AutoCloseable {
    /// A configuration for [#start].
    ///
    /// @param folder where its files are
    /// @param http what stands in the section of that name
    static String configuration(Path folder, String http) {
        return """
        daemon off;
        master_process off;
        pid @DIR@/nginx.pid;
        error_log @DIR@/error.log;
        events { worker_connections 256; }
        http {
          client_body_temp_path @DIR@/t1;
          proxy_temp_path @DIR@/t2;
          fastcgi_temp_path @DIR@/t3;
          uwsgi_temp_path @DIR@/t4;
          scgi_temp_path @DIR@/t5;
        """
                .replace("@DIR@", folder.toString())
                .concat(http)
                .concat("}\n");
    }

    /// Starts it in the foreground, as its file must say, and waits until it listens.
    static NginxProcess start(Path conf, int port, int timeoutMillis) throws IOException {
        Path output = Files.createTempFile(conf.getParent(), "nginx", ".txt");
        Process process =
                new ProcessBuilder(Program.of("nginx"), "-c", conf.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(address, timeoutMillis);
                return new NginxProcess(process, timeoutMillis);
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - until > 0) {
                    process.destroy();
                    throw new IOException(Files.readString(output), e);
                }
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(timeoutMillis, TimeUnit.MILLISECONDS).join();
    }
}
