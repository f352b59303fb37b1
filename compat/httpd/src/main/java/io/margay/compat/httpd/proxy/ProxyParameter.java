package io.margay.compat.httpd.proxy;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `key=value` parameters of `ProxyPass`, `BalancerMember` and `ProxySet`, and what becomes of
/// each. A table.
public enum ProxyParameter {
    MIN,
    MAX,
    SMAX("idle connections above min close after ttl"),
    ACQUIRE,
    CONNECTIONTIMEOUT,
    DISABLEREUSE,
    ENABLEREUSE,
    FLUSHPACKETS("what the peer sends is forwarded at once"),
    FLUSHWAIT("what the peer sends is forwarded at once"),
    FLUSHER("what the peer sends is forwarded at once"),
    IOBUFFERSIZE("buffers are sized by the gateway"),
    RECEIVEBUFFERSIZE("the system sizes socket buffers"),
    RESPONSEFIELDSIZE("limits are the gateway's"),
    KEEPALIVE("dead connections are detected by CPING and timeouts"),
    LBSET,
    PING,
    LOADFACTOR,
    REDIRECT,
    RETRY,
    ROUTE,
    STATUS,
    TIMEOUT,
    TTL,
    SECRET,
    UPGRADE,
    MAPPING("paths are always matched decoded and without parameters"),
    ADDRESSTTL("names are resolved by the system"),
    LBMETHOD,
    MAXATTEMPTS,
    NOFAILOVER,
    STICKYSESSION,
    STICKYSESSIONSEP,
    SCOLONPATHDELIM("a session in a path parameter is always found"),
    FAILONSTATUS,
    FAILONTIMEOUT,
    NONCE("changes on the status page require a token"),
    GROWTH("members are added by the configuration, which is reloaded"),
    FORCERECOVERY,
    HCMETHOD,
    HCPASSES,
    HCFAILS,
    HCINTERVAL,
    HCURI,
    HCTEMPLATE,
    HCEXPR;

    private static final Map<String, ProxyParameter> BY_WORD = new HashMap<>();

    static {
        for (ProxyParameter parameter : values()) {
            BY_WORD.put(parameter.word(), parameter);
        }
    }

    private final String instead;

    ProxyParameter() {
        this("");
    }

    ProxyParameter(String instead) {
        this.instead = instead;
    }

    /// The parameter of that name, or null.
    public static @Nullable ProxyParameter of(String word) {
        return BY_WORD.get(word.toLowerCase(Locale.ROOT));
    }

    /// As it is written.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// What happens instead; empty for what is honoured.
    String instead() {
        return instead;
    }
}
