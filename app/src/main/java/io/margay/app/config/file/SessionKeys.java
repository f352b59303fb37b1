package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.config.SessionSettings;
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Scalar;
import io.margay.app.yaml.Shape.Section;
import io.margay.servlet.session.SessionIds;
import io.margay.servlet.session.SessionWrite;
import io.margay.servlet.session.SharedSessions;
import io.margay.servlet.session.engine.EngineSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys of sessions, and how they are read. Used by one thread.
record SessionKeys(List<Problem> problems, @Nullable String sharedUrl) {
    private static final String MEMORY = "memory";
    private static final Set<String> OF_VALKEY = Set.of("valkey", "redis");
    private static final int CONNECTIONS_MAX = 1024;

    private static final List<String> OF_SHARED =
            List.of(
                    "url",
                    "resource",
                    "key",
                    "write",
                    "connect-timeout",
                    "timeout",
                    "connections",
                    "sticky");

    private static final Scalar ROUTE =
            text(
                    SessionIds.ROUTE_FORM,
                    text -> {
                        if (!SessionIds.isRoute(text)) {
                            throw new IllegalArgumentException("");
                        }
                        return text;
                    });

    private static final Scalar KEY =
            text(
                            "at least " + SharedSessions.KEY_CHARS_MIN + " characters",
                            text -> {
                                if (text.length() < SharedSessions.KEY_CHARS_MIN) {
                                    throw new IllegalArgumentException("");
                                }
                                return text;
                            })
                    .asSecret();

    static Section section() {
        List<Shape.Key> keys = new ArrayList<>(ofMemory());
        keys.addAll(ofShared());
        keys.addAll(ofNames());
        return new Section("the sessions", keys, List.of());
    }

    private static List<Shape.Key> ofMemory() {
        return List.of(
                optional(
                        "store",
                        text("memory, or what keeps sessions for several servers"),
                        MEMORY,
                        "memory = in memory, and in a file over a restart; valkey,"
                                + " redis, jdbc or what a library brings = where several servers"
                                + " share them."),
                optional(
                        "file",
                        Shape.path(),
                        "`sessions` in the work folder",
                        "Folder where those in memory are kept over a restart."));
    }

    private static List<Shape.Key> ofShared() {
        return List.of(
                optional(
                        "url",
                        text("a URL"),
                        "none",
                        "Where the engine is; with `store: valkey` the `url` of `shared` where"
                                + " there is one: `redis://[USER:PASSWORD@]HOST:PORT/DATABASE`,"
                                + " `rediss` for TLS, `redis+sentinel://HOST,HOST/PRIMARY`,"
                                + " `redis+cluster://HOST,HOST`; `?ca=FILE` names a PEM"
                                + " file of authorities. With `store: jdbc` the URL of a database,"
                                + " as its driver has it, with user and password."),
                optional(
                        "resource",
                        text("a name, as in jdbc/sessions"),
                        "none",
                        "The data source of a database that keeps them, in place of `url`."),
                optional(
                        "key",
                        KEY,
                        "none: it must be given",
                        "What leaves the server is signed with it; the same on all."),
                optional(
                        "write",
                        choice(List.of("before", "after", "lazily")),
                        "before",
                        "When changes are written: before the response ends, when it has"
                                + " been sent, or within a second."),
                optional(
                        "connect-timeout",
                        duration(),
                        "1s",
                        "How long a connection to the engine may take."),
                optional("timeout", duration(), "1s", "How long an answer of the engine may take."),
                optional(
                        "connections",
                        whole(1, CONNECTIONS_MAX),
                        String.valueOf(EngineSettings.CONNECTIONS_DEFAULT),
                        "Connections to the engine at most."),
                optional(
                        "sticky",
                        flag(),
                        "false",
                        "Whether clients come back to the server whose `route` their session has,"
                                + " unless it fails: then Valkey need not be asked for each"
                                + " request."));
    }

    private static List<Shape.Key> ofNames() {
        return List.of(
                optional(
                        "route",
                        ROUTE,
                        "none",
                        "What session identifiers end with, after a dot, so that a gateway"
                                + " keeps a session with this server (Tomcat's"
                                + " `jvmRoute`)."),
                optional(
                        "drain-when-disabled",
                        flag(),
                        "false",
                        "Whether clients without a live session are sent to another server"
                                + " while the load balancer says that this one is disabled"
                                + " (`JK_LB_ACTIVATION`, as Tomcat's"
                                + " `LoadBalancerDrainingValve`)."));
    }

    /// @param folder where those in memory are kept; null = nothing is said of that
    SessionSettings read(Settings section, @Nullable Path folder) {
        return new SessionSettings(
                folder,
                section.text("route").orElse(""),
                section.get("drain-when-disabled", Boolean.class).orElse(false),
                shared(section));
    }

    private SessionSettings.@Nullable Shared shared(Settings section) {
        String store = section.text("store").orElse(MEMORY);
        if (store.equals(MEMORY)) {
            for (String key : OF_SHARED) {
                if (section.has(key)) {
                    problem(
                            section,
                            key,
                            "\"" + key + "\" belongs to a \"store\" that servers share");
                }
            }
            return null;
        }
        String key = section.text("key").orElse("");
        if (!section.isGiven("key")) {
            problem(
                    section,
                    "store",
                    "a store that servers share needs a \"key\", the same on all of them: what"
                            + " \"openssl rand -base64 32\" prints, say");
        }
        if (section.has("file")) {
            problem(section, "file", "\"file\" belongs to \"store: memory\"");
        }
        if (section.get("sticky", Boolean.class).orElse(false) && !section.isGiven("route")) {
            problem(
                    section,
                    "sticky",
                    "\"sticky\" needs a \"route\", by which gateways find this server");
        }
        boolean shares = isShared(section, store);
        if (!shares && section.isGiven("url") == section.isGiven("resource")) {
            problem(
                    section,
                    "store",
                    "a store that servers share needs either a \"url\" or a \"resource\"");
        }
        if (!shares && isWord(section)) {
            problem(
                    section,
                    "url",
                    OF_VALKEY.contains(store)
                            ? "\"url: shared\" needs \"shared\" with a \"url\""
                            : "\"url: shared\" belongs to \"store: valkey\"");
        }
        return new SessionSettings.Shared(
                store,
                shares ? sharedUrl : section.text("url").orElse(null),
                section.text("resource").orElse(null),
                key,
                section.text("write")
                        .map(word -> SessionWrite.valueOf(word.toUpperCase(Locale.ROOT)))
                        .orElse(SessionWrite.BEFORE),
                section.duration("connect-timeout").orElse(EngineSettings.TIMEOUT_DEFAULT),
                section.duration("timeout").orElse(EngineSettings.TIMEOUT_DEFAULT),
                section.number("connections")
                        .map(Long::intValue)
                        .orElse(EngineSettings.CONNECTIONS_DEFAULT),
                section.get("sticky", Boolean.class).orElse(false));
    }

    /// Whether sessions are where servers share other things, too.
    private boolean isShared(Settings section, String store) {
        return sharedUrl != null
                && OF_VALKEY.contains(store)
                && !section.isGiven("resource")
                && (!section.isGiven("url") || isWord(section));
    }

    private static boolean isWord(Settings section) {
        return section.text("url").equals(Optional.of(SharedKeys.WORD));
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
