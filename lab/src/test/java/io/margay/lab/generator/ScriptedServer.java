package io.margay.lab.generator;

import io.margay.testkit.ScriptedPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.KeyStore;
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

    private final AtomicInteger requests = new AtomicInteger();
    private final ScriptedPeer peer;

    /// Makes the peer of a script.
    private interface Opening {
        ScriptedPeer open(ScriptedPeer.Script script) throws IOException;
    }

    ScriptedServer(IntFunction<String> script) throws IOException {
        this(ScriptedPeer::new, script);
    }

    private ScriptedServer(Opening opening, IntFunction<String> script) throws IOException {
        peer = opening.open(talk -> serve(talk, requests, script));
    }

    /// One that serves a connection at a time and lets few others wait, as a server with a fixed
    /// number of threads.
    static ScriptedServer narrow(IntFunction<String> script) throws IOException {
        return new ScriptedServer(ScriptedPeer::serial, script);
    }

    /// The same over TLS.
    ///
    /// @param store PKCS#12 file with key and certificate
    static ScriptedServer tls(Path store, String password, IntFunction<String> script)
            throws Exception {
        ServerSocket listener = secure(store, password);
        return new ScriptedServer(served -> new ScriptedPeer(listener, served), script);
    }

    /// A socket of the loopback that speaks TLS with the key in `store`.
    static ServerSocket secure(Path store, String password) throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), password.toCharArray());
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context.getServerSocketFactory()
                .createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    }

    int port() {
        return peer.port();
    }

    int requests() {
        return requests.get();
    }

    static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    /// Until the client closes the connection.
    private static void serve(
            ScriptedPeer.Talk talk, AtomicInteger requests, IntFunction<String> script)
            throws IOException {
        boolean kept = true;
        while (kept) {
            String _ = talk.head();
            String answer = script.apply(requests.incrementAndGet());
            kept = !answer.endsWith(CLOSE);
            talk.send(answer.replace(CLOSE, ""));
        }
    }

    @Override
    public void close() throws IOException {
        peer.close();
    }
}
