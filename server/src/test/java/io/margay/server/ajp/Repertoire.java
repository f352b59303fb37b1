package io.margay.server.ajp;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.X509Certificate;
import java.util.zip.CRC32;

/// What tests ask for by path, over any front end. Stateless.
final class Repertoire {
    private interface Work {
        void run() throws IOException;
    }

    private static final int PIECE = 10_000;

    private Repertoire() {}

    /// The octet at a place of generated content.
    static byte octet(long at) {
        return (byte) (at * 31 + (at >> 8) * 7 + (at >> 16));
    }

    static byte[] content(int length) {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) {
            content[i] = octet(i);
        }
        return content;
    }

    static String digest(byte[] content) {
        CRC32 crc = new CRC32();
        crc.update(content);
        return content.length + " " + Long.toHexString(crc.getValue());
    }

    static void handle(Exchange exchange) throws IOException {
        String path = exchange.request().target().rawPath();
        int slash = path.indexOf('/', 1);
        String name = slash < 0 ? path : path.substring(0, slash);
        String rest = slash < 0 ? "" : path.substring(slash + 1);
        switch (name) {
            case "/inline" -> end(exchange, "inline");
            case "/dispatched" -> dispatch(exchange, () -> end(exchange, "dispatched"));
            case "/echo" -> dispatch(exchange, () -> echo(exchange));
            case "/poll" -> new PollingEcho(exchange).run();
            case "/digest" -> dispatch(exchange, () -> end(exchange, digest(readAll(exchange))));
            case "/ignore" -> end(exchange, "ignored");
            case "/bytes" -> dispatch(exchange, () -> bytes(exchange, Integer.parseInt(rest)));
            case "/pieces" -> dispatch(exchange, () -> pieces(exchange, Integer.parseInt(rest)));
            case "/file" -> file(exchange, Integer.parseInt(rest));
            case "/empty" -> exchange.end();
            case "/status" -> {
                exchange.status(Integer.parseInt(rest));
                exchange.fields().add("ETag", "\"1\"");
                exchange.end();
            }
            case "/reset" -> {
                exchange.status(205);
                exchange.fields().add("Content-Type", "text/plain");
                end(exchange, "not to be sent");
            }
            case "/fields" -> end(exchange, exchange.request().fields().toString());
            case "/cookies" -> {
                exchange.fields().add("Set-Cookie", "a=1; Path=/");
                exchange.fields().add("Set-Cookie", "b=2; Path=/");
                exchange.fields().add("Location", "/elsewhere");
                exchange.fields().add("Content-Language", "en");
                exchange.fields().add("X-Own", "value");
                end(exchange, String.valueOf(exchange.request().field("Cookie")));
            }
            case "/method" -> end(exchange, exchange.request().method());
            case "/target" -> end(exchange, exchange.request().target().raw());
            case "/facts" -> end(exchange, facts(exchange));
            case "/attribute" -> end(exchange, String.valueOf(exchange.attribute(rest)));
            case "/throws" -> throw new IllegalStateException("as the test asked");
            case "/short" ->
                    dispatch(
                            exchange,
                            () -> {
                                exchange.fields().set("Content-Length", "10");
                                exchange.write(new byte[4], 0, 4);
                                exchange.end();
                            });
            default -> {
                exchange.status(404);
                end(exchange, "not found");
            }
        }
    }

    private static String facts(Exchange exchange) {
        InetSocketAddress remote = (InetSocketAddress) exchange.remote();
        InetSocketAddress local = (InetSocketAddress) exchange.local();
        TlsInfo tls = exchange.tls();
        StringBuilder text = new StringBuilder();
        text.append(exchange.scheme())
                .append(" remote=")
                .append(remote.getHostString())
                .append(':')
                .append(remote.getPort())
                .append(" local=")
                .append(local.getHostString())
                .append(':')
                .append(local.getPort())
                .append(" user=")
                .append(exchange.remoteUser());
        if (tls != null) {
            text.append(" tls=")
                    .append(tls.protocol())
                    .append(' ')
                    .append(tls.cipherSuite())
                    .append(' ')
                    .append(tls.keyBits())
                    .append(' ')
                    .append(tls.sessionId().isEmpty() ? "" : "session");
            for (X509Certificate certificate : tls.peerCertificates()) {
                text.append(' ').append(certificate.getSubjectX500Principal().getName());
            }
        }
        return text.toString();
    }

    private static void dispatch(Exchange exchange, Work work) {
        exchange.dispatch(() -> {
            try {
                work.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void end(Exchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        exchange.end(bytes, 0, bytes.length);
    }

    private static byte[] readAll(Exchange exchange) throws IOException {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        byte[] buffer = new byte[PIECE];
        for (int n = exchange.read(buffer, 0, PIECE); n >= 0; n = exchange.read(buffer, 0, PIECE)) {
            all.write(buffer, 0, n);
        }
        return all.toByteArray();
    }

    private static void echo(Exchange exchange) throws IOException {
        byte[] buffer = new byte[PIECE];
        for (int n = exchange.read(buffer, 0, PIECE); n >= 0; n = exchange.read(buffer, 0, PIECE)) {
            exchange.write(buffer, 0, n);
        }
        exchange.end();
    }

    private static void bytes(Exchange exchange, int length) throws IOException {
        exchange.end(content(length), 0, length);
    }

    private static void pieces(Exchange exchange, int length) throws IOException {
        byte[] content = content(length);
        for (int at = 0; at < length; at += PIECE) {
            exchange.write(content, at, Math.min(PIECE, length - at));
        }
        exchange.end();
    }

    /// On the loop: nothing may wait.
    private static void file(Exchange exchange, int length) throws IOException {
        Path path = Files.createTempFile("margay-ajp", ".bin");
        Files.write(path, content(length));
        FileChannel file =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
        exchange.fields().add("Content-Length", Integer.toString(length));
        exchange.sendFile(file, 0, length);
        exchange.end();
    }

    /// Echoes on the loop, never waiting.
    private static final class PollingEcho implements Runnable {
        private final Exchange exchange;
        private final byte[] buffer = new byte[4096];

        PollingEcho(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void run() {
            try {
                go();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void go() throws IOException {
            while (exchange.writable()) {
                int count = exchange.poll(buffer, 0, buffer.length);
                if (count < 0) {
                    exchange.end();
                    return;
                }
                if (count == 0) {
                    exchange.onReadable(this);
                    return;
                }
                exchange.offer(buffer, 0, count);
            }
            exchange.onWritable(this);
        }
    }
}
