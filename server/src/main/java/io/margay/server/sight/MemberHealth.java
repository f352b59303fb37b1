package io.margay.server.sight;

import java.util.Locale;

/// How a member of an upstream does, the better the earlier.
public enum MemberHealth {
    /// It gets requests.
    USABLE("gets requests"),

    /// It gets requests of its sessions only.
    DRAINED("drained: requests of its sessions only"),

    /// An operator has stopped it.
    STOPPED("stopped by an operator"),

    /// It answers worse than the others, and is left out for a while.
    LEFT_OUT("left out: it answers worse than the others"),

    /// It did not answer requests.
    FAILING("does not answer requests"),

    /// Its health checks fail.
    UNHEALTHY("fails its health checks");

    private final String text;

    MemberHealth(String text) {
        this.text = text;
    }

    /// Its name in JSON.
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// In words.
    public String text() {
        return text;
    }
}
