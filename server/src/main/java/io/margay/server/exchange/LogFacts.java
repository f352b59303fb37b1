package io.margay.server.exchange;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the log of a host asks of the application that answers, and what it has said: a log is
/// written when the application has let go of its request. Owned as its exchange is.
public final class LogFacts {
    /// The identifier of the session.
    public static final String SESSION_ID = "SESSION_ID";

    /// The thread that has answered.
    public static final String THREAD = "THREAD";

    /// Before the name of an attribute of the session.
    public static final String SESSION = "SESSION:";

    /// Before the name of an attribute of the request.
    public static final String REQUEST = "REQUEST:";

    private final Set<String> asked;
    private Map<String, String> known = Map.of();

    LogFacts(Set<String> asked) {
        this.asked = asked;
    }

    /// The names of what is asked.
    public Set<String> asked() {
        return asked;
    }

    /// Notes what is known of it.
    public void tell(Map<String, String> values) {
        known = Map.copyOf(values);
    }

    /// What is known by a name, or null.
    public @Nullable String get(String name) {
        return known.get(name);
    }
}
