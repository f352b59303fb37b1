package io.margay.compat.httpd.jk;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The directives of `workers.properties`, and what becomes of each. A table.
public enum WorkerDirective {
    TYPE("ajp13"),
    HOST("localhost"),
    PORT("8009"),
    SOURCE("none", Fate.CHANGED, "the system chooses the local address"),
    SOCKET_TIMEOUT("0"),
    SOCKET_CONNECT_TIMEOUT("socket_timeout"),
    SOCKET_KEEPALIVE("false", Fate.NOTED, "dead connections are detected by CPING and timeouts"),
    SOCKET_BUFFER("0", Fate.NOTED, "the system sizes socket buffers"),
    PING_MODE("none"),
    PING_TIMEOUT("10000"),
    CONNECTION_PING_INTERVAL("0"),
    CONNECTION_POOL_SIZE("threads per process"),
    CONNECTION_POOL_MINSIZE("half of it"),
    CONNECTION_POOL_TIMEOUT("0"),
    CONNECTION_ACQUIRE_TIMEOUT("retries × retry_interval"),
    CONNECT_TIMEOUT("0"),
    PREPOST_TIMEOUT("0"),
    REPLY_TIMEOUT("0"),
    RETRIES("2"),
    RETRY_INTERVAL("100"),
    RECOVERY_OPTIONS("0"),
    FAIL_ON_STATUS("0"),
    BUSY_LIMIT("0"),
    MAX_PACKET_SIZE("8192"),
    PREFER_IPV6("false", Fate.NOTED, "the addresses of a name are tried in the resolver's order"),
    SECRET("none"),
    MOUNT("none"),
    BALANCE_WORKERS("none"),
    STICKY_SESSION("true"),
    STICKY_SESSION_FORCE("false"),
    METHOD("Request"),
    LOCK("Optimistic", Fate.NOTED, "counters are exact without a lock to choose"),
    LB_RETRIES("2"),
    MAX_REPLY_TIMEOUTS("0"),
    RECOVER_TIME("60"),
    ERROR_ESCALATION_TIME("half of recover_time"),
    SESSION_COOKIE("JSESSIONID"),
    SESSION_PATH(";jsessionid"),
    SET_SESSION_COOKIE("false"),
    SESSION_COOKIE_PATH("none"),
    LBFACTOR("1"),
    ACTIVATION("Active"),
    ROUTE("the worker's name"),
    DISTANCE("0"),
    DOMAIN("none"),
    REDIRECT("none"),
    CSS("none"),
    READ_ONLY("false"),
    USER("none"),
    USER_CASE_INSENSITIVE("false"),
    GOOD("a.o,a.n,a.b,a.r"),
    BAD("s,e"),
    PREFIX("worker"),
    NS("jk:"),
    XMLNS("xmlns:jk=\"http://tomcat.apache.org\""),
    DOCTYPE("none"),
    REFERENCE("none"),
    LIST("ajp13"),
    MAINTAIN("60"),
    CACHESIZE("connection_pool_size", "connection_pool_size"),
    CACHE_TIMEOUT("0", "connection_pool_timeout"),
    RECYCLE_TIMEOUT("0", "connection_pool_timeout"),
    BALANCED_WORKERS("none", "balance_workers"),
    JVM_ROUTE("none", "route"),
    DISABLED("false", "activation"),
    STOPPED("false", "activation"),
    LOCAL_WORKER("0", "distance 1 more of the members that are not local"),
    LOCAL_WORKER_ONLY("0", "activation Disabled of the members that are not local"),
    SECRETKEY("none", Fate.CHANGED, "AJP14 is not supported; AJP13's secret is"),
    SYSPROPS("none", Fate.NOTED, Fate.IN_PROCESS),
    STDOUT("none", Fate.NOTED, Fate.IN_PROCESS),
    STDERR("none", Fate.NOTED, Fate.IN_PROCESS),
    MX("none", Fate.NOTED, Fate.IN_PROCESS),
    MS("none", Fate.NOTED, Fate.IN_PROCESS),
    CLASS_PATH("none", Fate.NOTED, Fate.IN_PROCESS),
    BRIDGE("none", Fate.NOTED, Fate.IN_PROCESS),
    JVM_LIB("none", Fate.NOTED, Fate.IN_PROCESS),
    LD_PATH("none", Fate.NOTED, Fate.IN_PROCESS),
    CMD_LINE("none", Fate.NOTED, Fate.IN_PROCESS),
    NATIVE_LIB("none", Fate.NOTED, Fate.IN_PROCESS);

    /// What becomes of a directive.
    enum Fate {
        HONOURED,
        NOTED,
        CHANGED;

        static final String IN_PROCESS =
                "it belonged to in-process workers, which mod_jk itself no longer has";
    }

    private static final Map<String, WorkerDirective> BY_WORD = new HashMap<>();

    static {
        for (WorkerDirective directive : values()) {
            BY_WORD.put(directive.word(), directive);
        }
    }

    private final String byDefault;
    private final Fate fate;
    private final String text;

    WorkerDirective(String byDefault) {
        this(byDefault, Fate.HONOURED, "");
    }

    WorkerDirective(String byDefault, String instead) {
        this(byDefault, Fate.HONOURED, "deprecated; read as " + instead);
    }

    WorkerDirective(String byDefault, Fate fate, String text) {
        this.byDefault = byDefault;
        this.fate = fate;
        this.text = text;
    }

    /// The directive of that name, or null.
    public static @Nullable WorkerDirective of(String word) {
        return BY_WORD.get(word);
    }

    /// As it is written.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// What holds where it is not said.
    public String byDefault() {
        return byDefault;
    }

    Fate fate() {
        return fate;
    }

    /// What happens instead, or how it is read; empty when there is nothing to say.
    public String text() {
        return text;
    }
}
