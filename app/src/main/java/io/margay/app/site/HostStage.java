package io.margay.app.site;

import io.margay.server.host.Stage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The stages of a host, in the order in which its requests come to them. This is the one place
/// that says the order; a host has those of which it needs something.
///
/// What is chosen to answer before [#ACCESS] answers without rules and access, so nothing does but
/// the host's own rewriting. Stages from [#CONTENT] to [#SUBSTITUTION] put exchanges around the
/// client's: the last is the nearest to what answers.
enum HostStage {
    /// Responses say where the time went.
    TIMING(HostParts::timing),

    /// How paths are read about which servers disagree.
    PATHS(HostParts::paths),

    /// Where the client is, by what front ends say.
    CLIENT(HostParts::client),

    /// What the host changes in fields, and its error pages: in force whoever answers.
    CHANGES(HostParts::exchangeRules),

    /// What access logs ask of applications.
    LOGS(HostParts::logs),

    /// Requests that are too large get 413, 414 or 431.
    SIZES(HostParts::sizes),

    /// Clients that cost too much, or are not who they claim to be, are kept out.
    SHIELD(HostParts::shield),

    /// How many requests are taken; some wait for their turn.
    LIMITS(HostParts::limits),

    /// Tomcat's rules for the host make another target of a request, or answer it.
    REWRITING(HostParts::rewriting),

    /// How many requests are taken of what rules say of them; some wait for their turn.
    PLACE_LIMITS(HostParts::placeLimits),

    /// Rules say where a request goes; sections, logins and services, whether it may: waits for
    /// those that have to be asked.
    ACCESS(HostParts::access),

    /// What no rule has taken goes to the routes.
    ROUTES(HostParts::routing),

    /// Tomcat's rules for the application make another target of a request, or answer it.
    APP_REWRITING(HostParts::appRewriting),

    /// Content of unknown length is counted where access limits it.
    CONTENT(HostParts::content),

    /// Content of unknown length is counted where sizes limit it, and responses are slowed down.
    PACING(HostParts::pacing),

    /// What a request costs is measured for the shield.
    COST(HostParts::cost),

    /// Requests are answered from the cache, and responses kept in it, as they are compressed.
    CACHE(HostParts::cache),

    /// Responses are compressed.
    COMPRESSION(HostParts::compression),

    /// Text in responses is replaced.
    SUBSTITUTION(HostParts::substitution),

    /// How many requests of one user are taken, who is known by now; some wait for their turn.
    USER_LIMITS(HostParts::userLimits);

    @SuppressWarnings("ImmutableEnumChecker") // method references of HostParts, without state
    private final Function<HostParts, @Nullable Stage> maker;

    HostStage(Function<HostParts, @Nullable Stage> maker) {
        this.maker = maker;
    }

    /// That of a host; null where it has nothing to say there.
    @Nullable Stage of(HostParts host) {
        return maker.apply(host);
    }

    /// Whether it makes another target of a request, which is done once.
    boolean rewrites() {
        return this == REWRITING || this == APP_REWRITING;
    }
}
