package io.margay.compat.httpd.proxy;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `key=value` parameters of `ProxyPass`, `BalancerMember` and `ProxySet`, and what becomes of
/// each. A table.
public enum ProxyParameter {
    MIN("0"),
    MAX("threads per process"),
    SMAX("max", "idle connections above min close after ttl"),
    ACQUIRE("none"),
    CONNECTIONTIMEOUT("timeout"),
    DISABLEREUSE("Off"),
    ENABLEREUSE("On"),
    FLUSHPACKETS("off", "what the peer sends is forwarded at once"),
    FLUSHWAIT("10", "what the peer sends is forwarded at once"),
    FLUSHER("flush", "what the peer sends is forwarded at once"),
    IOBUFFERSIZE("8192", "buffers are sized by the gateway"),
    RECEIVEBUFFERSIZE("0", "the system sizes socket buffers"),
    RESPONSEFIELDSIZE("8192", "limits are the gateway's"),
    KEEPALIVE("Off", "dead connections are detected by CPING and timeouts"),
    LBSET("0"),
    PING("0"),
    LOADFACTOR("1"),
    REDIRECT("none"),
    RETRY("60"),
    ROUTE("none"),
    STATUS("none"),
    TIMEOUT("ProxyTimeout"),
    TTL("none"),
    SECRET("none"),
    UPGRADE("none"),
    MAPPING("none", "paths are always matched decoded and without parameters"),
    ADDRESSTTL("-1", "names are resolved by the system"),
    LBMETHOD("byrequests"),
    MAXATTEMPTS("members − 1"),
    NOFAILOVER("Off"),
    STICKYSESSION("none"),
    STICKYSESSIONSEP("."),
    SCOLONPATHDELIM("Off", "a session in a path parameter is always found"),
    FAILONSTATUS("none"),
    FAILONTIMEOUT("Off"),
    NONCE("auto", "changes on the status page require a token"),
    GROWTH("0", "members are added by the configuration, which is reloaded"),
    FORCERECOVERY("On"),
    HCMETHOD("None"),
    HCPASSES("1"),
    HCFAILS("1"),
    HCINTERVAL("30"),
    HCURI("none"),
    HCTEMPLATE("none"),
    HCEXPR("none");

    private static final Map<String, ProxyParameter> BY_WORD = new HashMap<>();

    static {
        for (ProxyParameter parameter : values()) {
            BY_WORD.put(parameter.word(), parameter);
        }
    }

    private final String byDefault;
    private final String instead;

    ProxyParameter(String byDefault) {
        this(byDefault, "");
    }

    ProxyParameter(String byDefault, String instead) {
        this.byDefault = byDefault;
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

    public String byDefault() {
        return byDefault;
    }

    /// What happens instead; empty for what is honoured.
    String instead() {
        return instead;
    }
}
