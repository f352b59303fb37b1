package io.margay.servlet.engine.request;

import io.margay.server.exchange.ExchangeRequest;
import io.margay.server.exchange.TlsInfo;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The attributes of one request; the map is made with the first one. Used by one thread at a time
/// until [#share], for the thread that began an asynchronous request and the one that goes on with
/// it may both have attributes to set. Facts about TLS, and those that a front end sent beside the
/// request, are answered without being stored.
final class RequestAttributes {
    private static final String PROTOCOL = "jakarta.servlet.request.secure_protocol";
    private static final String CIPHER = "jakarta.servlet.request.cipher_suite";
    private static final String KEY_SIZE = "jakarta.servlet.request.key_size";
    private static final String SESSION = "jakarta.servlet.request.ssl_session_id";
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    private final ExchangeRequest exchange;
    private final @Nullable TlsInfo tls;
    private @Nullable Map<String, Object> values;

    RequestAttributes(ExchangeRequest exchange) {
        this.exchange = exchange;
        tls = exchange.clientTls();
    }

    /// Lets several threads use the attributes at once.
    void share() {
        Map<String, Object> before = values;
        if (!(before instanceof ConcurrentHashMap)) {
            values = before == null ? new ConcurrentHashMap<>() : new ConcurrentHashMap<>(before);
        }
    }

    @Nullable Object get(String name) {
        Object value = values == null ? null : values.get(name);
        if (value == null && tls != null) {
            value = ofTls(tls, name);
        }
        if (value == null && name.equals(ExchangeRequest.REQUEST_ID)) {
            return exchange.requestId();
        }
        return value == null ? exchange.attribute(name) : value;
    }

    private static @Nullable Object ofTls(TlsInfo tls, String name) {
        return switch (name) {
            case PROTOCOL -> tls.protocol().isEmpty() ? null : tls.protocol();
            case CIPHER -> tls.cipherSuite().isEmpty() ? null : tls.cipherSuite();
            case KEY_SIZE -> tls.keyBits() > 0 ? tls.keyBits() : null;
            case SESSION -> tls.sessionId().isEmpty() ? null : tls.sessionId();
            case CERTIFICATES ->
                    tls.peerCertificates().isEmpty()
                            ? null
                            : tls.peerCertificates().toArray(X509Certificate[]::new);
            default -> null;
        };
    }

    List<String> names() {
        List<String> names = values == null ? new ArrayList<>() : new ArrayList<>(values.keySet());
        if (tls != null) {
            for (String name : List.of(PROTOCOL, CIPHER, KEY_SIZE, SESSION, CERTIFICATES)) {
                if (!names.contains(name) && ofTls(tls, name) != null) {
                    names.add(name);
                }
            }
        }
        for (String name : exchange.attributeNames()) {
            if (!names.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }

    /// Sets or, with null, removes; answers what was there.
    @Nullable Object put(String name, @Nullable Object value) {
        Map<String, Object> map = values;
        if (map == null) {
            if (value == null) {
                return null;
            }
            map = new HashMap<>();
            values = map;
        }
        return value == null ? map.remove(name) : map.put(name, value);
    }
}
