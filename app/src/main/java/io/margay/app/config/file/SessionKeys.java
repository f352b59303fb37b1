package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.SessionSettings;
import io.margay.app.config.SessionSettings.Shared;
import io.margay.app.config.SessionSettingsSharedBuilder;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.servlet.session.SessionIds;
import io.margay.servlet.session.SessionWrite;
import io.margay.servlet.session.SharedSessions;
import io.margay.servlet.session.engine.EngineSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys of sessions.
public final class SessionKeys {
    private static final String MEMORY = "memory";
    private static final String STORE = "store";
    private static final Set<String> OF_VALKEY = Set.of("valkey", "redis");

    private static final Keys<Shared> SHARED =
            Binding.of(
                            "the store of sessions",
                            SessionSettingsSharedBuilder.builder()
                                    .store(MEMORY)
                                    .key("")
                                    .write(SessionWrite.BEFORE)
                                    .connectTimeout(EngineSettings.TIMEOUT_DEFAULT)
                                    .timeout(EngineSettings.TIMEOUT_DEFAULT)
                                    .connectionsMax(EngineSettings.CONNECTIONS_DEFAULT)
                                    .build())
                    .form("key", secret(SharedSessions.KEY_CHARS_MIN))
                    .keys(
                            """
                            store <memory, or what keeps sessions for several servers>: `memory`
                              (saved to a file across restarts); shared by several servers:
                              `valkey`, `redis`, `jdbc`, or one that a library provides.
                            url <a URL>: URL of the store, such as `redis://HOST:PORT`; for `store:
                              jdbc` a JDBC URL. With `store: valkey` it defaults to the `url` of
                              `shared`. All forms: docs/guide/cluster.md.
                            resource <a name, as in jdbc/sessions>: The data source of the database,
                              in place of `url`.
                            key [none: it must be given]: Signs what leaves the server; the same on
                              all servers.
                            write: When changes are written: before the response ends, when it has
                              been sent, or within a second.
                            connect-timeout: Timeout of connecting to the store.
                            timeout: Timeout of the store's answers.
                            connections (connectionsMax) <1 to 1024>: Maximum number of connections
                              to the store.
                            sticky: Clients return to the server of their session's `route`: the
                              store is not queried for each request.
                            """);

    public static final Keys<SessionSettings> SESSIONS =
            Binding.of("the sessions", SessionSettings.defaults())
                    .keys(
                            """
                            file (folder) [`sessions` in the work folder]: Folder where those in
                              memory are kept over a restart.
                            """)
                    .part(
                            SHARED,
                            one -> one.shared() == null ? SHARED.defaults() : one.shared(),
                            (to, shared) ->
                                    to.set("shared", shared.store().equals(MEMORY) ? null : shared))
                    .form(
                            "route",
                            matching(SessionIds.ROUTE_FORM, text -> SessionIds.isRoute(text)))
                    .keys(
                            """
                            route: Suffix of session identifiers, by which a gateway keeps a session
                              with this server (Tomcat's `jvmRoute`).
                            drain-when-disabled (drainDisabled): Redirects clients without a live
                              session while the load balancer has this server disabled (as Tomcat's
                              `LoadBalancerDrainingValve`).
                            """);

    private SessionKeys() {}

    /// What a section says, with what `shared` does.
    ///
    /// @param sharedUrl where servers share other things; null = nowhere
    static SessionSettings complete(
            SessionSettings read, Settings section, @Nullable String sharedUrl, Reading reading) {
        Shared shared = read.shared();
        if (shared == null) {
            List<String> own =
                    SHARED.shapes().stream()
                            .map(Shape.Key::name)
                            .filter(key -> !key.equals(STORE))
                            .toList();
            reading.strangers(section, own, "a \"store\" that servers share");
            return read;
        }
        boolean shares = isShared(section, shared.store(), sharedUrl);
        check(section, shared.store(), shares, reading);
        return shares
                ? read.withShared(
                        SessionSettingsSharedBuilder.builder(shared).url(sharedUrl).build())
                : read;
    }

    private static void check(Settings section, String store, boolean shares, Reading reading) {
        if (!section.isGiven("key")) {
            reading.problem(
                    section,
                    STORE,
                    "a store that servers share needs a \"key\", the same on all of them: what"
                            + " \"openssl rand -base64 32\" prints, say");
        }
        reading.strangers(section, List.of("file"), "\"store: memory\"");
        if (section.get("sticky", Boolean.class).orElse(false) && !section.isGiven("route")) {
            reading.problem(
                    section,
                    "sticky",
                    "\"sticky\" needs a \"route\", by which gateways find this server");
        }
        if (!shares && section.isGiven("url") == section.isGiven("resource")) {
            reading.problem(
                    section,
                    STORE,
                    "a store that servers share needs either a \"url\" or a \"resource\"");
        }
        if (!shares && isWord(section)) {
            reading.problem(
                    section,
                    "url",
                    OF_VALKEY.contains(store)
                            ? "\"url: shared\" needs \"shared\" with a \"url\""
                            : "\"url: shared\" belongs to \"store: valkey\"");
        }
    }

    /// Whether sessions are where servers share other things, too.
    private static boolean isShared(Settings section, String store, @Nullable String sharedUrl) {
        return sharedUrl != null
                && OF_VALKEY.contains(store)
                && !section.isGiven("resource")
                && (!section.isGiven("url") || isWord(section));
    }

    private static boolean isWord(Settings section) {
        return section.text("url").equals(Optional.of(SharedKeys.WORD));
    }
}
