package io.margay.app.agreement;

import io.margay.app.agreement.AccessProbe.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// Sends probes over connections of their own, in bytes that no library has put right. Stateless.
public final class ProbeClient {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final Pattern CONTENT = Pattern.compile("file:(\\S+)|(answered by)");

    private static final Pattern CHALLENGE = Pattern.compile("(?i)\r\nWWW-Authenticate: (.*?)\r\n");

    private final Map<Tls, SSLContext> contexts;

    /// @param contexts with which each kind of request by TLS is sent
    public ProbeClient(Map<Tls, SSLContext> contexts) {
        this.contexts = Map.copyOf(contexts);
    }

    /// The answer to a probe.
    ///
    /// @throws IOException when there is none in time
    public ProbeAnswer send(AccessProbe probe, int port, int tlsPort) throws IOException {
        boolean plain = probe.tls() == Tls.PLAIN;
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(address(probe.client()), 0));
            socket.connect(
                    new InetSocketAddress(address(1), plain ? port : tlsPort), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            if (plain) {
                return exchange(probe, socket);
            }
            return byTls(probe, socket, tlsPort);
        }
    }

    private ProbeAnswer byTls(AccessProbe probe, Socket socket, int port) throws IOException {
        SSLContext context = contexts.get(probe.tls());
        if (context == null) {
            throw new IllegalStateException("no certificates for " + probe.tls());
        }
        try (SSLSocket secure =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(socket, probe.host(), port, false)) {
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(probe.host())));
            secure.setSSLParameters(parameters);
            return exchange(probe, secure);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return ProbeAnswer.REFUSED;
        }
    }

    private static InetAddress address(int client) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) client});
    }

    private static ProbeAnswer exchange(AccessProbe probe, Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        head.append(probe.method()).append(' ').append(probe.target()).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(probe.host()).append("\r\n");
        probe.fields().forEach(field -> head.append(field).append("\r\n"));
        if (probe.content() > 0) {
            head.append("Content-Length: ").append(probe.content()).append("\r\n");
        }
        head.append("Connection: close\r\n\r\n").append("x".repeat(probe.content()));
        socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        String answer = read(socket.getInputStream());
        if (!answer.startsWith("HTTP/1.1 ") || answer.length() < 12) {
            return ProbeAnswer.REFUSED;
        }
        int status = Integer.parseInt(answer.substring(9, 12));
        Matcher asks = CHALLENGE.matcher(answer);
        String challenge = asks.find() ? asks.group(1) : "";
        Matcher content = CONTENT.matcher(answer);
        if (probe.method().equals("TRACE") || !content.find()) {
            return new ProbeAnswer(status, "", challenge);
        }
        boolean ofPeer = content.group(1) == null;
        if (status >= 300) {
            return new ProbeAnswer(
                    status, ofPeer || status < 400 ? "" : content.group(1), challenge);
        }
        return new ProbeAnswer(status, ofPeer ? "peer" : content.group(1), challenge);
    }

    /// All that comes, also when the connection is reset behind it.
    private static String read(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] bytes = new byte[8192];
        try {
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                text.append(new String(bytes, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return text.toString();
        }
        return text.toString();
    }
}
