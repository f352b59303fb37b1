package io.margay.servlet.engine.request;

import io.margay.protocol.http.Cookies;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpDate;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.Exchange;
import jakarta.servlet.ServletConnection;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request as the client sent it: its fields, and the connection that it came by. What becomes of
/// it, [ServerRequest] knows. Used by one thread at a time; unusable after the exchange ended.
public abstract sealed class ReceivedRequest implements HttpServletRequest permits ServerRequest {
    final RequestScope cycle;
    final Exchange exchange;
    final RequestHead head;

    private Cookie @Nullable [] cookies;
    private @Nullable List<Locale> locales;

    ReceivedRequest(RequestScope cycle, Exchange exchange) {
        this.cycle = cycle;
        this.exchange = exchange;
        this.head = exchange.request();
    }

    // Connection

    @Override
    public final String getProtocol() {
        cycle.requireOpen();
        return head.version().text();
    }

    @Override
    public final String getScheme() {
        cycle.requireOpen();
        return exchange.scheme();
    }

    @Override
    public final boolean isSecure() {
        cycle.requireOpen();
        return exchange.secure();
    }

    /// Host and, unless it is the scheme's own, port, as the client addressed them.
    public String authority() {
        String host = getServerName();
        int port = getServerPort();
        int usual = usualPort();
        return port == usual ? host : host + ":" + port;
    }

    @Override
    public final String getServerName() {
        cycle.requireOpen();
        String authority = head.target().authority();
        if (authority == null || authority.isEmpty()) {
            return getLocalName();
        }
        int colon = portColon(authority);
        return colon < 0 ? authority : authority.substring(0, colon);
    }

    @Override
    public final int getServerPort() {
        cycle.requireOpen();
        String authority = head.target().authority();
        if (authority == null || authority.isEmpty()) {
            return getLocalPort();
        }
        int colon = portColon(authority);
        int port = 0;
        for (int i = colon + 1; colon >= 0 && i < authority.length(); i++) {
            int digit = authority.charAt(i) - '0';
            port = digit < 0 || digit > 9 || port > 65535 ? 0 : port * 10 + digit;
        }
        if (port > 0 && port <= 65535) {
            return port;
        }
        return usualPort();
    }

    private int usualPort() {
        return getScheme().equals("https") ? 443 : 80;
    }

    private static int portColon(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? colon : -1;
    }

    @Override
    public final String getRemoteAddr() {
        cycle.requireOpen();
        return InternetAddress.text(exchange.remote());
    }

    @Override
    public final String getRemoteHost() {
        return exchange.attribute(Exchange.REMOTE_HOST) instanceof String name && !name.isEmpty()
                ? name
                : getRemoteAddr();
    }

    @Override
    public final int getRemotePort() {
        cycle.requireOpen();
        return InternetAddress.port(exchange.remote());
    }

    @Override
    public final String getLocalName() {
        cycle.requireOpen();
        return exchange.local() instanceof InetSocketAddress inet ? inet.getHostString() : "";
    }

    @Override
    public final String getLocalAddr() {
        cycle.requireOpen();
        return InternetAddress.text(exchange.local());
    }

    @Override
    public final int getLocalPort() {
        cycle.requireOpen();
        return InternetAddress.port(exchange.local());
    }

    @Override
    public final String getRequestId() {
        cycle.requireOpen();
        return Long.toString(exchange.id());
    }

    @Override
    public final String getProtocolRequestId() {
        cycle.requireOpen();
        return exchange.protocolRequestId();
    }

    @Override
    public final ServletConnection getServletConnection() {
        cycle.requireOpen();
        return ConnectionInfo.of(exchange);
    }

    // Fields

    @Override
    public final @Nullable String getHeader(@Nullable String name) {
        cycle.requireOpen();
        return name == null ? null : head.fields().get(name);
    }

    @Override
    public final Enumeration<String> getHeaders(@Nullable String name) {
        cycle.requireOpen();
        return Collections.enumeration(name == null ? List.of() : head.fields().all(name));
    }

    @Override
    public final Enumeration<String> getHeaderNames() {
        cycle.requireOpen();
        return Collections.enumeration(head.fields().namesAsReceived());
    }

    @Override
    public final int getIntHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value);
    }

    /// The API's `HttpServlet` asks for `If-Modified-Since` without expecting the exception; for it
    /// a field that holds no date is absent (RFC 9110 §13.1.3).
    @Override
    public final long getDateHeader(String name) {
        String value = getHeader(name);
        if (value == null) {
            return -1;
        }
        long seconds = HttpDate.parse(value);
        if (seconds == HttpDate.INVALID) {
            if (name.equalsIgnoreCase("If-Modified-Since") && isAskedByHttpServlet()) {
                return -1;
            }
            throw new IllegalArgumentException("header " + name + " holds no date");
        }
        return seconds * 1000;
    }

    /// Whether `HttpServlet.service` called `getDateHeader`, here or of a wrapper.
    private static boolean isAskedByHttpServlet() {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.skip(1) // this method
                                .dropWhile(f -> f.getMethodName().equals("getDateHeader"))
                                .findFirst())
                .filter(f -> f.getClassName().equals(HttpServlet.class.getName()))
                .filter(f -> f.getMethodName().equals("service"))
                .isPresent();
    }

    @Override
    public final Cookie @Nullable [] getCookies() {
        cycle.requireOpen();
        Cookie[] known = cookies;
        if (known == null) {
            List<Cookie> made = new ArrayList<>();
            for (Cookies.Cookie cookie : Cookies.decode(head.fields())) {
                made.add(new Cookie(cookie.name(), text(cookie.value())));
            }
            known = made.toArray(Cookie[]::new);
            cookies = known;
        }
        return known.length == 0 ? null : known.clone();
    }

    /// A cookie's value as the application has set it: its bytes are UTF-8, if they can be.
    private static String text(String octets) {
        for (int i = 0; i < octets.length(); i++) {
            if (octets.charAt(i) > 127) {
                byte[] bytes = octets.getBytes(StandardCharsets.ISO_8859_1);
                String text = new String(bytes, StandardCharsets.UTF_8);
                return text.indexOf('\ufffd') < 0 ? text : octets;
            }
        }
        return octets;
    }

    @Override
    public final Locale getLocale() {
        return locales().getFirst();
    }

    @Override
    public final Enumeration<Locale> getLocales() {
        return Collections.enumeration(locales());
    }

    private List<Locale> locales() {
        cycle.requireOpen();
        List<Locale> known = locales;
        if (known == null) {
            known = RequestLocales.of(head.fields().all("accept-language"));
            locales = known;
        }
        return known;
    }

    // Trailer fields

    @Override
    public final boolean isTrailerFieldsReady() {
        cycle.requireOpen();
        return exchange.inputEnded() || !mayHaveTrailers();
    }

    /// HTTP/1 has trailers after chunks only (RFC 9112 §7.1.2).
    private boolean mayHaveTrailers() {
        return head.version().isMultiplexed() || head.contentLength() == RequestHead.UNKNOWN_LENGTH;
    }

    @Override
    public final Map<String, String> getTrailerFields() {
        if (!isTrailerFieldsReady()) {
            throw new IllegalStateException("the content has not been read to its end");
        }
        if (!mayHaveTrailers()) {
            return new LinkedHashMap<>();
        }
        Fields trailers = exchange.trailers();
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < trailers.size(); i++) {
            String name = trailers.name(i).toLowerCase(Locale.ROOT);
            map.merge(name, trailers.value(i), (first, next) -> first + ", " + next);
        }
        return map;
    }
}
