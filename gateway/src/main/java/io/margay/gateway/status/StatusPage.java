package io.margay.gateway.status;

import io.margay.protocol.form.FormDecoder;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the status pages have in common: parameters from query and form, and the response. Each
/// subclass is immutable.
abstract sealed class StatusPage implements Handler permits JkStatus, BalancerEditor {
    private static final int FORM_BYTES_MAX = 64 * 1024;
    private static final int PARAMETERS_MAX = 200;
    private static final int TOLD_CHARACTERS_MAX = 1_000;
    private static final System.Logger LOG = System.getLogger(StatusPage.class.getName());

    /// A page to send.
    record Page(int status, String type, String text) {
        static Page html(String text) {
            return new Page(200, "text/html;charset=utf-8", text);
        }
    }

    /// Makes the page for these parameters.
    abstract Page page(Exchange exchange, Map<String, String> parameters);

    @Override
    public void handle(Exchange exchange) throws IOException {
        switch (exchange.request().method()) {
            case "GET", "HEAD" -> answer(exchange, new byte[0]);
            case "POST" -> exchange.dispatch(() -> post(exchange));
            default -> {
                exchange.fields().set("Allow", "GET, HEAD, POST");
                StatusResponse.plain(exchange, 405);
            }
        }
    }

    private void post(Exchange exchange) {
        try {
            byte[] form = new byte[FORM_BYTES_MAX];
            int length = 0;
            int count = 0;
            while (count >= 0 && length < form.length) {
                count = exchange.read(form, length, form.length - length);
                length += Math.max(0, count);
            }
            if (count >= 0) {
                StatusResponse.plain(exchange, 413);
            } else {
                answer(exchange, Arrays.copyOf(form, length));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(Exchange exchange, byte[] form) throws IOException {
        FormDecoder decoder = new FormDecoder(StandardCharsets.UTF_8, PARAMETERS_MAX);
        String query = exchange.request().target().rawQuery();
        boolean sound =
                (query == null || decoder.decode(query)) && decoder.decode(form, 0, form.length);
        if (!sound) {
            StatusResponse.plain(exchange, 400);
            return;
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        decoder.pairs().forEach(pair -> parameters.put(pair.name(), pair.value()));
        Page page = page(exchange, parameters);
        exchange.status(page.status());
        exchange.fields().set("Content-Type", page.type());
        exchange.fields().set("Cache-Control", "no-store");
        exchange.fields().set("X-Frame-Options", "DENY");
        exchange.fields().set("Content-Security-Policy", StatusLooks.POLICY);
        if (page.status() == 401) {
            exchange.fields().set("WWW-Authenticate", "Basic realm=\"status\", charset=\"UTF-8\"");
        }
        byte[] bytes = page.text().getBytes(StandardCharsets.UTF_8);
        exchange.end(bytes, 0, bytes.length);
    }

    /// Says in the log what somebody who may do so asks to change, and from where.
    static void tell(Exchange exchange, Map<String, String> parameters) {
        StringBuilder what = new StringBuilder();
        parameters.forEach((name, value) -> {
            if (!name.equals("nonce")) {
                what.append(' ').append(name).append('=').append(value);
            }
        });
        what.setLength(Math.min(what.length(), TOLD_CHARACTERS_MAX));
        LOG.log(
                Level.INFO,
                "status page {0}: change{1}, {2}",
                exchange.request().target().rawPath(),
                what.toString().replaceAll("\\p{Cntrl}", "?"),
                by(exchange));
    }

    /// Who asks for a change, and from where, for logs.
    static String by(Exchange exchange) {
        String user = exchange.remoteUser();
        String from =
                exchange.remote() instanceof InetSocketAddress inet && inet.getAddress() != null
                        ? inet.getAddress().getHostAddress()
                        : exchange.remote().toString();
        return "by "
                + (user == null ? "nobody by name" : user.replaceAll("\\p{Cntrl}", "?"))
                + " at "
                + from;
    }

    /// Text as HTML and XML have it, between tags and in attributes.
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c < ' ' && c != '\n' && c != '\t' ? '?' : c);
            }
        }
        return escaped.toString();
    }
}
