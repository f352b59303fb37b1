package io.margay.gateway.config;

/// What a peer is used for, as its administrator has said; it changes at run time.
public enum Activation {
    /// Every request.
    ACTIVE,

    /// Only requests of sessions that are on it.
    DISABLED,

    /// Nothing.
    STOPPED;

    /// The word in `JK_LB_ACTIVATION` and on status pages: ACT, DIS, STP.
    public String code() {
        return switch (this) {
            case ACTIVE -> "ACT";
            case DISABLED -> "DIS";
            case STOPPED -> "STP";
        };
    }
}
