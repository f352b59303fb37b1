package io.margay.protocol.ajp;

import org.jspecify.annotations.Nullable;

/// An attribute of a forwarded request that has a code of its own and is a string.
///
/// The pair `req_attribute` and the number `ssl_key_size` are the two that are not here.
public enum AjpAttribute {
    /// Never used by any front end.
    CONTEXT(0x01),
    /// Never used by any front end.
    SERVLET_PATH(0x02),
    /// The user that the front end has authenticated.
    REMOTE_USER(0x03),
    /// How the front end has authenticated the user.
    AUTH_TYPE(0x04),
    /// The query, without `?`.
    QUERY_STRING(0x05),
    /// The balancer's name for this container.
    ROUTE(0x06),
    /// The client's certificate, PEM.
    TLS_CERTIFICATE(0x07),
    /// The name of the cipher.
    TLS_CIPHER(0x08),
    /// The identifier of the TLS session.
    TLS_SESSION(0x09),
    /// The secret that front end and container share.
    SECRET(0x0c),
    /// The method, where it has no code.
    STORED_METHOD(0x0d);

    /// One more than the highest code.
    static final int CODES = 0x0e;

    static final int NAMED = 0x0a;
    static final int TLS_KEY_BITS = 0x0b;

    private static final @Nullable AjpAttribute[] BY_CODE = new @Nullable AjpAttribute[CODES];

    static {
        for (AjpAttribute attribute : values()) {
            BY_CODE[attribute.code] = attribute;
        }
    }

    private final int code;

    AjpAttribute(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static @Nullable AjpAttribute of(int code) {
        return code < CODES ? BY_CODE[code] : null;
    }
}
