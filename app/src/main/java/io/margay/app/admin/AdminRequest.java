package io.margay.app.admin;

import com.fasterxml.jackson.jr.ob.JSON;
import io.margay.gateway.status.StatusLooks;
import io.margay.protocol.form.FormDecoder;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request of the admin listener, and its answer. Used by one thread, which may wait.
///
/// @param path without the prefix of the part of the admin listener that answers
record AdminRequest(Exchange exchange, String path, Map<String, String> parameters) {
    private static final int PARAMETERS_MAX = 50;
    private static final int BLOCK_BYTES = 64 << 10;

    /// The console asks this server alone; nothing is inline.
    private static final String POLICY =
            "default-src 'none'; style-src 'self' "
                    + StatusLooks.SOURCE
                    + "; script-src 'self'; img-src 'self'; connect-src"
                    + " 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

    /// The same with the parameters of the query; the first of a name counts.
    static AdminRequest of(Exchange exchange, String path) throws AdminException {
        Map<String, String> parameters = new HashMap<>();
        String query = exchange.request().target().rawQuery();
        if (query != null) {
            FormDecoder decoder = new FormDecoder(StandardCharsets.UTF_8, PARAMETERS_MAX);
            if (!decoder.decode(query)) {
                throw new AdminException(
                        AdminException.Kind.INVALID, "the query cannot be understood");
            }
            for (FormDecoder.Pair pair : decoder.pairs()) {
                parameters.putIfAbsent(pair.name(), pair.value());
            }
        }
        return new AdminRequest(exchange, path, Map.copyOf(parameters));
    }

    String method() {
        return exchange.request().method();
    }

    @Nullable String parameter(String name) {
        return parameters.get(name);
    }

    boolean flag(String name) {
        return "true".equals(parameters.get(name));
    }

    /// The application that the parameters `host`, `path` and `version` name.
    AppRef app() throws AdminException {
        String path = parameters.get("path");
        if (path == null || !path.startsWith("/")) {
            throw new AdminException(
                    AdminException.Kind.INVALID,
                    "Invalid context path [" + printable(path) + "] was specified");
        }
        return new AppRef(
                parameters.getOrDefault("host", ""),
                path.equals("/") ? "" : path,
                parameters.getOrDefault("version", ""));
    }

    /// An address without its port, as the log has it.
    static String address(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : address.toString();
    }

    /// A text from a client, fit for a message.
    static String printable(@Nullable String text) {
        String shown = String.valueOf(text);
        String cut = shown.substring(0, Math.min(shown.length(), 200));
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    /// Writes the content to a new file.
    ///
    /// @throws AdminException when there is none; the file is not left
    void receive(Path file) throws IOException, AdminException {
        boolean whole = false;
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[BLOCK_BYTES];
            long total = 0;
            int count;
            while ((count = exchange.read(block, 0, block.length)) >= 0) {
                out.write(block, 0, count);
                total += count;
            }
            whole = total > 0;
        } finally {
            if (!whole) {
                Files.deleteIfExists(file);
            }
        }
        if (!whole) {
            throw new AdminException(
                    AdminException.Kind.INVALID, "the request has no WAR as its content");
        }
    }

    void answer(int status, String type, String text) throws IOException {
        answer(status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    void answer(int status, String type, byte[] bytes) throws IOException {
        exchange.status(status);
        exchange.fields().set("Content-Type", type);
        exchange.fields().set("Cache-Control", "no-store");
        exchange.fields().set("X-Content-Type-Options", "nosniff");
        exchange.fields().set("X-Frame-Options", "DENY");
        exchange.fields().set("Content-Security-Policy", POLICY);
        exchange.end(bytes, 0, bytes.length);
    }

    void plain(int status, String text) throws IOException {
        answer(status, "text/plain;charset=utf-8", text);
    }

    /// @param value a tree of maps, lists, texts, numbers and truths
    void json(int status, Object value) throws IOException {
        answer(status, "application/json", JSON.std.asString(value) + "\n");
    }
}
