package io.margay.app.agreement;

/// What a server answered. Immutable.
///
/// @param status 0 where the connection or the handshake was refused
/// @param content whose content it was: a file's path, also of one that is shown for an error,
///   `peer`, or nothing that is known
/// @param challenge the field by which it asks who the client is; empty = it does not
public record ProbeAnswer(int status, String content, String challenge) {
    static final ProbeAnswer REFUSED = new ProbeAnswer(0, "", "");

    boolean isRefused() {
        return status < 200 || status >= 400;
    }

    boolean isRedirected() {
        return status >= 300 && status < 400;
    }

    @Override
    public String toString() {
        return (status + " " + content + " " + challenge).strip();
    }
}
