package io.margay.server.ajp;

import io.margay.protocol.ajp.AjpAttribute;
import io.margay.protocol.ajp.AjpAttributes;
import io.margay.protocol.ajp.AjpForwardRequest;
import io.margay.server.config.AjpConfig;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.RequestId;
import io.margay.server.exchange.TlsInfo;
import io.margay.server.serial.RequestInfo;
import io.margay.transport.Connection;
import java.io.ByteArrayInputStream;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the front end says of the client and its connection. Owned as its exchange is.
final class AjpRequestInfo implements RequestInfo {
    private static final System.Logger LOG = System.getLogger("io.margay.server");
    private static final int PORT_MAX = 65535;

    private final Connection io;
    private final AjpForwardRequest request;
    private final AjpAttributes attributes;
    private final AjpConfig config;
    private @Nullable SocketAddress remote;
    private @Nullable SocketAddress local;
    private @Nullable TlsInfo tls;

    AjpRequestInfo(Connection io, AjpForwardRequest request, AjpConfig config) {
        this.io = io;
        this.request = request;
        this.config = config;
        attributes = request.attributes();
    }

    @Override
    public String scheme() {
        return isSecure() ? "https" : "http";
    }

    private boolean isSecure() {
        return config.trustTls() && request.secure();
    }

    @Override
    public SocketAddress remote() {
        SocketAddress known = remote;
        if (known == null) {
            int port = number(attributes.named("AJP_REMOTE_PORT"), PORT_MAX, 0);
            known = address(request.remoteAddress(), port, io.remote());
            remote = known;
        }
        return known;
    }

    @Override
    public SocketAddress local() {
        SocketAddress known = local;
        if (known == null) {
            String address = attributes.named("AJP_LOCAL_ADDR");
            known =
                    address(
                            address != null ? address : request.serverName(),
                            request.serverPort(),
                            io.local());
            local = known;
        }
        return known;
    }

    /// An address from a literal, never by asking a name server.
    private static SocketAddress address(@Nullable String text, int port, SocketAddress otherwise) {
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(text), port);
        } catch (IllegalArgumentException e) {
            return InetSocketAddress.createUnresolved(text, port);
        }
    }

    @Override
    public @Nullable String attribute(String name) {
        return switch (name) {
            case Exchange.AUTH_TYPE -> attributes.get(AjpAttribute.AUTH_TYPE);
            case Exchange.REMOTE_HOST -> request.remoteHost();
            default -> attributes.named(name);
        };
    }

    @Override
    public Set<String> attributeNames() {
        return attributes.names();
    }

    @Override
    public @Nullable String remoteUser() {
        return config.trustRemoteUser() ? attributes.get(AjpAttribute.REMOTE_USER) : null;
    }

    @Override
    public @Nullable String requestId() {
        String given = request.head().field(RequestId.FIELD);
        return RequestId.isValid(given) ? given : null;
    }

    @Override
    public @Nullable TlsInfo tls() {
        TlsInfo known = tls;
        if (known == null && isSecure()) {
            int bits = attributes.keyBits();
            known =
                    new TlsInfo(
                            text(attributes.named("AJP_SSL_PROTOCOL")),
                            either(AjpAttribute.TLS_CIPHER, "javax.servlet.request.cipher_suite"),
                            bits >= 0
                                    ? bits
                                    : number(
                                            attributes.named("javax.servlet.request.key_size"),
                                            PORT_MAX,
                                            0),
                            either(AjpAttribute.TLS_SESSION, "javax.servlet.request.ssl_session"),
                            certificates());
            tls = known;
        }
        return known;
    }

    private String either(AjpAttribute coded, String named) {
        String value = attributes.get(coded);
        return value != null ? value : text(attributes.named(named));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    private List<X509Certificate> certificates() {
        String pem = either(AjpAttribute.TLS_CERTIFICATE, "javax.servlet.request.X509Certificate");
        if (pem.isEmpty()) {
            return List.of();
        }
        String text =
                pem.startsWith("-----")
                        ? pem
                        : "-----BEGIN CERTIFICATE-----\n" + pem + "\n-----END CERTIFICATE-----\n";
        try {
            List<X509Certificate> chain = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(
                            new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)))
                    .forEach(c -> chain.add((X509Certificate) c));
            return chain;
        } catch (CertificateException e) {
            LOG.log(Level.DEBUG, "connection " + io.id() + ": no certificate in ssl_cert", e);
            return List.of();
        }
    }

    /// The decimal number in `text`, or `otherwise` when there is none up to `most`.
    private static int number(@Nullable String text, int most, int otherwise) {
        if (text == null || text.isEmpty() || text.length() > 5) {
            return otherwise;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return otherwise;
            }
            value = value * 10 + digit;
        }
        return value <= most ? value : otherwise;
    }
}
