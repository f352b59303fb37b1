package io.margay.gateway.access;

/// What is asked of the connection, whatever else lets a client in.
public enum TlsAccess {
    /// Nothing.
    ANY,

    /// What does not come by TLS is refused.
    TLS,

    /// Clients are refused that have not shown a certificate.
    CERTIFICATE;

    /// What holds where a later section is about the same request, too: what asks for more.
    TlsAccess then(TlsAccess later) {
        return later.compareTo(this) > 0 ? later : this;
    }

    /// Whether it refuses a request.
    boolean refuses(AccessRequest request) {
        return switch (this) {
            case ANY -> false;
            case TLS -> !request.request().scheme().equals("https");
            case CERTIFICATE -> !request.request().hasCertificate();
        };
    }
}
