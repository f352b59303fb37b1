package io.margay.lab.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server that answers each request with the bytes that a script gives for its number. A virtual
/// thread per connection; thread-safe.
final class ScriptedServer implements AutoCloseable {
    /// Closes the connection after the answer.
    static final String CLOSE = "\u0000close";

    private static final int BACKLOG = 500;

    private final ServerSocket listener;
    private final AtomicInteger requests = new AtomicInteger();
    private final IntFunction<String> script;
    private final Executor threads;

    ScriptedServer(IntFunction<String> script) throws IOException {
        this(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), script);
    }

    private ScriptedServer(ServerSocket listener, IntFunction<String> script) {
        this(listener, script, Thread::startVirtualThread);
    }

    private ScriptedServer(ServerSocket listener, IntFunction<String> script, Executor threads) {
        this.listener = listener;
        this.script = script;
        this.threads = threads;
        Thread.startVirtualThread(this::accept);
    }

    /// One that serves a connection at a time and lets few others wait, as a server with a fixed
    /// number of threads.
    static ScriptedServer narrow(IntFunction<String> script) throws IOException {
        ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        return new ScriptedServer(one, script, Runnable::run);
    }

    /// The same over TLS.
    ///
    /// @param store PKCS#12 file with key and certificate
    static ScriptedServer tls(Path store, String password, IntFunction<String> script)
            throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), password.toCharArray());
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return new ScriptedServer(
                context.getServerSocketFactory()
                        .createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()),
                script);
    }

    int port() {
        return listener.getLocalPort();
    }

    int requests() {
        return requests.get();
    }

    static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                threads.execute(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            int ends = 0;
            for (int b = in.read(); b >= 0; b = in.read()) {
                ends = b == '\n' ? ends + 1 : b == '\r' ? ends : 0;
                if (ends == 2) {
                    ends = 0;
                    String answer = script.apply(requests.incrementAndGet());
                    boolean close = answer.endsWith(CLOSE);
                    out.write(answer.replace(CLOSE, "").getBytes(StandardCharsets.ISO_8859_1));
                    if (close) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // The client is gone: the test looks at what the client saw.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
