package io.margay.server.config;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.forwarded.FrontEndTrust;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What clients use for a listener to which a front end passes their requests on. Hosts,
/// applications, redirects and logs see each request as if it had come so; its fields stay as they
/// are. Immutable.
///
/// @param scheme of requests in clear text; null = that of the connection
/// @param secure whether requests in clear text count as secure
/// @param host null = as the request says
/// @param port 0 = as the request says
/// @param forwarded the front ends that say so; what they tell comes before the rest; null = none
public record PublicAddress(
        @Nullable String scheme,
        boolean secure,
        @Nullable String host,
        int port,
        @Nullable FrontEndTrust forwarded) {
    /// Requests are taken as they come.
    public static final PublicAddress NONE = new PublicAddress(null, false, null, 0);

    private static final int PORT_MAX = 65_535;

    /// No front end says so.
    public PublicAddress(@Nullable String scheme, boolean secure, @Nullable String host, int port) {
        this(scheme, secure, host, port, null);
    }

    public PublicAddress {
        if (scheme != null && !scheme.matches("[a-z][a-z0-9+.-]*")) {
            throw new IllegalArgumentException("\"" + scheme + "\" is not a scheme");
        }
        if (host != null && !isHost(host)) {
            throw new IllegalArgumentException("\"" + host + "\" is not the name of a host");
        }
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException(port + " is not a port");
        }
    }

    private static boolean isHost(String host) {
        byte[] bytes = host.getBytes(StandardCharsets.UTF_8);
        return Authority.isValid(bytes, 0, bytes.length) && host.equals(Authority.host(host));
    }

    /// The scheme of a request.
    ///
    /// @param own that of its connection, or as its front end reports it
    public String scheme(String own) {
        return scheme == null || isTls(own) ? own : scheme;
    }

    /// Whether a request counts as secure.
    ///
    /// @param own the scheme of its connection, or as its front end reports it
    public boolean isSecure(String own) {
        return secure || isTls(own);
    }

    private static boolean isTls(String own) {
        return own.equals("https");
    }

    /// The head of a request as if it had been sent to this address.
    public RequestHead addressed(RequestHead head) {
        RequestTarget target = head.target();
        String authority = authority(target.authority());
        if (authority == null || authority.equals(target.authority())) {
            return head;
        }
        return head.withTarget(
                new RequestTarget(
                        target.form(),
                        target.raw(),
                        target.rawPath(),
                        target.rawQuery(),
                        target.scheme(),
                        authority));
    }

    private @Nullable String authority(@Nullable String own) {
        if (host == null && port == 0) {
            return own;
        }
        String name = host == null ? Authority.host(own) : host;
        if (name == null) {
            return own;
        }
        if (port != 0) {
            return name + ":" + port;
        }
        return own == null
                ? name
                : name + own.substring(String.valueOf(Authority.host(own)).length());
    }
}
