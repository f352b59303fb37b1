package io.margay.gateway.balance;

import java.io.IOException;

/// What is known of a peer from the requests it was given. mod_jk's states, which serve for both
/// dialects; mod_proxy's knows OK and ERROR of them.
public enum PeerState {
    /// As good as [#OK], and not asked since the last maintenance.
    IDLE("OK/IDLE"),

    /// It answers.
    OK("OK"),

    /// It was in error long enough: one request may try it.
    RECOVERING("ERR/REC"),

    /// It was in error, and is tried all the same since no other peer is left.
    FORCED("ERR/FRC"),

    /// It has as many requests as it may have.
    BUSY("OK/BUSY"),

    /// It is left out.
    ERROR("ERR"),

    /// One request tries it at this moment.
    PROBING("ERR/PRB");

    private final String code;

    PeerState(String code) {
        this.code = code;
    }

    /// The word on status pages: `OK`, `OK/IDLE`, `ERR/REC`, ...
    public String code() {
        return code;
    }

    /// The one of a name, as another process has written it.
    static PeerState named(String name) throws IOException {
        try {
            return valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new IOException("a member is in an unknown state", e);
        }
    }

    /// Whether a request may be given to a peer in this state.
    public boolean usable() {
        return compareTo(FORCED) <= 0;
    }
}
