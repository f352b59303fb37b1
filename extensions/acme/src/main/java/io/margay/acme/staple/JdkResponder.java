package io.margay.acme.staple;

import io.margay.server.acme.StapleLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.Req;
import org.jspecify.annotations.Nullable;

/// An OCSP responder for this process alone. The JDK's TLS fetches what it staples by itself, in
/// the middle of a handshake and, if a client asks for that, for each handshake anew; there is no
/// way to give it a response. It is told by its system properties to ask here, where what has been
/// fetched is there at once, and says "later" otherwise.
///
/// One for the process, as the properties are: it is there while there is a source. One virtual
/// thread accepts, one answers each question.
final class JdkResponder {
    private static final System.Logger LOG = System.getLogger(JdkResponder.class.getName());
    private static final String ADDRESS = "jdk.tls.stapling.responderURI";

    /// What the JDK's stapling is told; set only where the user has not.
    private static final List<List<String>> SETTINGS =
            List.of(
                    List.of("jdk.tls.stapling.responderOverride", "true"),
                    List.of("jdk.tls.stapling.ignoreExtensions", "true"),
                    List.of("jdk.tls.stapling.responseTimeout", "1000"),
                    List.of("jdk.tls.stapling.cacheLifetime", "300"));

    /// `tryLater` (RFC 6960 §4.2.1).
    private static final byte[] LATER = {0x30, 3, 10, 1, 3};

    private static final int BACKLOG = 64;
    private static final int HEAD_BYTES_MAX = 8 * 1024;
    private static final int QUESTION_BYTES_MAX = 4 * 1024;
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final List<Source> SOURCES = new CopyOnWriteArrayList<>();

    /// Guarded by the class.
    private static @Nullable JdkResponder current;

    private final ServerSocket socket;
    private final Semaphore askers;

    /// What knows responses.
    interface Source {
        /// @return null = it has none
        byte @Nullable [] answer(CertificateID asked);
    }

    private JdkResponder(ServerSocket socket, int askingMax) {
        this.socket = socket;
        askers = new Semaphore(askingMax);
    }

    /// Has the JDK find what a source knows.
    static synchronized void add(Source source, StapleLimits limits) {
        SOURCES.add(source);
        if (current != null || System.getProperty(ADDRESS) != null) {
            return;
        }
        try {
            ServerSocket opened = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
            JdkResponder made = new JdkResponder(opened, limits.askingMax());
            System.setProperty(
                    ADDRESS,
                    "http://"
                            + InetAddress.getLoopbackAddress().getHostAddress()
                            + ":"
                            + opened.getLocalPort());
            for (List<String> one : SETTINGS) {
                if (System.getProperty(one.getFirst()) == null) {
                    System.setProperty(one.getFirst(), one.getLast());
                }
            }
            current = made;
            Thread.ofVirtual().name("margay-ocsp-jdk").start(made::accept);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the JDK''s TLS staples no OCSP responses: {0}", e.getMessage());
        }
    }

    static synchronized void remove(Source source) {
        SOURCES.remove(source);
        JdkResponder open = current;
        if (open != null && SOURCES.isEmpty()) {
            current = null;
            System.clearProperty(ADDRESS);
            try {
                open.socket.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "the responder for the JDK", e);
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                askers.acquireUninterruptibly();
                Socket client = socket.accept();
                Thread.ofVirtual().name("margay-ocsp-jdk-answer").start(() -> serve(client));
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the responder for the JDK ends", e);
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setSoTimeout(TIMEOUT_MILLIS);
            byte[] answer = answer(question(client.getInputStream()));
            OutputStream out = client.getOutputStream();
            String head =
                    "HTTP/1.1 200 OK\r\nContent-Type: application/ocsp-response\r\n"
                            + "Connection: close\r\nContent-Length: "
                            + answer.length
                            + "\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(answer);
            out.flush();
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.DEBUG, "a question about an OCSP response", e);
        } finally {
            askers.release();
        }
    }

    private static byte[] answer(byte[] question) throws IOException {
        Req[] asked = new OCSPReq(question).getRequestList();
        for (Source source : SOURCES) {
            byte[] found = asked.length == 1 ? source.answer(asked[0].getCertID()) : null;
            if (found != null) {
                return found;
            }
        }
        return LATER;
    }

    /// What a GET has in its path, and a POST in its content (RFC 6960 §A.1).
    private static byte[] question(InputStream in) throws IOException {
        String head = head(in);
        String[] words = head.substring(0, head.indexOf('\r')).split(" ", -1);
        if (words.length != 3) {
            throw new IOException("no request");
        }
        if (words[0].equals("GET")) {
            String path = URLDecoder.decode(words[1].substring(1), StandardCharsets.US_ASCII);
            return Base64.getDecoder().decode(path);
        }
        for (String line : head.toLowerCase(Locale.ROOT).split("\r\n", -1)) {
            if (line.startsWith("content-length:")) {
                int length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
                if (length >= 0 && length <= QUESTION_BYTES_MAX) {
                    return in.readNBytes(length);
                }
            }
        }
        throw new IOException("no question");
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int ends = 0;
        while (ends < 4) {
            int next = in.read();
            if (next < 0 || head.size() >= HEAD_BYTES_MAX) {
                throw new IOException("no head of a request");
            }
            head.write(next);
            ends = next == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.US_ASCII);
    }
}
