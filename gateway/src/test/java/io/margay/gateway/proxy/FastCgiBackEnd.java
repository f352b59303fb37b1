package io.margay.gateway.proxy;

import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.protocol.fastcgi.FastCgiLimits;
import io.margay.protocol.fastcgi.FastCgiRequestDecoder;
import io.margay.protocol.fastcgi.FastCgiResponseEncoder;
import io.margay.testkit.ScriptedPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// A FastCGI application that tells of its parameters and its content; on a port of the loopback.
final class FastCgiBackEnd implements AutoCloseable {
    private final ScriptedPeer server = new ScriptedPeer(FastCgiBackEnd::serve);

    FastCgiBackEnd() throws IOException {}

    PeerConfig peer() {
        return PeerConfig.of("php", PeerAddress.of(PeerScheme.FCGI, "127.0.0.1", server.port()))
                .withRoot("/srv/www");
    }

    int connections() {
        return server.connections();
    }

    private static void serve(ScriptedPeer.Talk talk) throws IOException {
        boolean kept = true;
        while (kept) {
            kept = serveOne(talk.in(), talk.out());
        }
    }

    private static boolean serveOne(InputStream in, OutputStream out) throws IOException {
        FastCgiRequestDecoder decoder = new FastCgiRequestDecoder(FastCgiLimits.defaults());
        decoder.reset();
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        int from = 0;
        int to = 0;
        while (true) {
            switch (decoder.decode(buffer, from, to)) {
                case NEED_MORE -> {
                    from = 0;
                    to = in.read(buffer);
                    if (to < 0) {
                        return false;
                    }
                    continue;
                }
                case DATA ->
                        content.write(
                                buffer, decoder.dataFrom(), decoder.dataTo() - decoder.dataFrom());
                case DATA_END -> {
                    return answer(decoder.parameters(), content.toByteArray(), out)
                            && decoder.keep();
                }
                case REQUEST -> {}
                case ABORT, ERROR -> throw new IOException("not FastCGI");
            }
            from = decoder.consumed();
        }
    }

    private static boolean answer(Map<String, String> parameters, byte[] content, OutputStream out)
            throws IOException {
        String script = parameters.getOrDefault("SCRIPT_NAME", "");
        StringBuilder text = new StringBuilder("Content-Type: text/plain\r\n");
        if (script.equals("/missing.php")) {
            text.insert(0, "Status: 404 Not Found\r\n");
        }
        if (script.equals("/broken.php")) {
            text.setLength(0);
            text.append("no head at all\n\n");
        }
        text.append("\r\n");
        if (script.equals("/echo.php")) {
            put(out, text.toString().getBytes(StandardCharsets.ISO_8859_1), 6);
            for (int at = 0; at < content.length; at += 10_000) {
                put(
                        out,
                        java.util.Arrays.copyOfRange(
                                content, at, Math.min(content.length, at + 10_000)),
                        6);
            }
        } else {
            new TreeMap<>(parameters).forEach((n, v) -> text.append(n + "=" + v + "\n"));
            put(out, text.toString().getBytes(StandardCharsets.ISO_8859_1), 6);
        }
        put(out, "a notice\nof two lines".getBytes(StandardCharsets.ISO_8859_1), 7);
        byte[] end = new byte[64];
        int to = FastCgiResponseEncoder.encodeOutputPrefix(end, 0, 0);
        to = FastCgiResponseEncoder.encodeEnd(end, to, 0, false);
        out.write(end, 0, to);
        return !script.equals("/close.php");
    }

    private static void put(OutputStream out, byte[] bytes, int type) throws IOException {
        byte[] record = new byte[bytes.length + 8];
        int at =
                type == 6
                        ? FastCgiResponseEncoder.encodeOutputPrefix(record, 0, bytes.length)
                        : FastCgiResponseEncoder.encodeLogPrefix(record, 0, bytes.length);
        System.arraycopy(bytes, 0, record, at, bytes.length);
        out.write(record);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
