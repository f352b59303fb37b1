package io.margay.compat.tomcat.client;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A request as it was before proxies handed it on. Confined to the request.
final class ForwardedRequest extends HttpServletRequestWrapper {
    /// What the client used. Immutable.
    ///
    /// @param client its address
    record Seen(String client, String host, String scheme, boolean secure, String name, int port) {
        static Seen of(HttpServletRequest request) {
            return new Seen(
                    request.getRemoteAddr(),
                    request.getRemoteHost(),
                    request.getScheme(),
                    request.isSecure(),
                    request.getServerName(),
                    request.getServerPort());
        }

        Seen withAddress(String address) {
            return new Seen(address, address, scheme, secure, name, port);
        }

        Seen withScheme(String newScheme, boolean newSecure, int newPort) {
            return new Seen(client, host, newScheme, newSecure, name, newPort);
        }

        Seen withHost(String newName, int newPort) {
            return new Seen(client, host, scheme, secure, newName, newPort);
        }
    }

    private final Map<String, List<String>> fields;
    private final Seen seen;
    private final ForwardingRules rules;

    /// @param fields that replace those of the request, by name in lower case
    ForwardedRequest(
            HttpServletRequest request,
            Map<String, List<String>> fields,
            Seen seen,
            ForwardingRules rules) {
        super(request);
        this.fields = fields;
        this.seen = seen;
        this.rules = rules;
    }

    @Override
    public String getRemoteAddr() {
        return seen.client();
    }

    @Override
    public String getRemoteHost() {
        return seen.host();
    }

    @Override
    public String getScheme() {
        return seen.scheme();
    }

    @Override
    public boolean isSecure() {
        return seen.secure();
    }

    @Override
    public String getServerName() {
        return seen.name();
    }

    @Override
    public int getServerPort() {
        return seen.port();
    }

    @Override
    public String getLocalName() {
        return rules.changeLocalName() ? seen.name() : super.getLocalName();
    }

    @Override
    public int getLocalPort() {
        return rules.changeLocalPort() ? seen.port() : super.getLocalPort();
    }

    @Override
    public StringBuffer getRequestURL() {
        boolean usual = seen.port() == (seen.secure() ? 443 : 80);
        StringBuffer url = new StringBuffer(seen.scheme()).append("://").append(seen.name());
        if (!usual) {
            url.append(':').append(seen.port());
        }
        return url.append(getRequestURI());
    }

    private @Nullable List<String> replaced(@Nullable String name) {
        return name == null ? null : fields.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public @Nullable String getHeader(String name) {
        List<String> own = replaced(name);
        return own == null ? super.getHeader(name) : own.isEmpty() ? null : own.getFirst();
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        List<String> own = replaced(name);
        return own == null ? super.getHeaders(name) : Collections.enumeration(own);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : Collections.list(super.getHeaderNames())) {
            List<String> own = replaced(name);
            if (own == null || !own.isEmpty()) {
                names.add(name);
            }
        }
        fields.forEach((name, values) -> {
            if (!values.isEmpty()) {
                names.add(name);
            }
        });
        return Collections.enumeration(names);
    }

    @Override
    public int getIntHeader(String name) {
        List<String> own = replaced(name);
        if (own == null) {
            return super.getIntHeader(name);
        }
        return own.isEmpty() ? -1 : Integer.parseInt(own.getFirst());
    }

    @Override
    public long getDateHeader(String name) {
        List<String> own = replaced(name);
        if (own == null) {
            return super.getDateHeader(name);
        }
        if (own.isEmpty()) {
            return -1;
        }
        throw new IllegalArgumentException(name + " is not a date");
    }
}
