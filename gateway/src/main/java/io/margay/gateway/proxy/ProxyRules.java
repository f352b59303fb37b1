package io.margay.gateway.proxy;

import io.margay.gateway.config.Activation;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a request and its response are changed between client and peer. Immutable; shared by the
/// requests of a rule.
///
/// @param keepHost whether the peer gets the client's `Host` (always so with AJP)
/// @param reverse what is replaced in `Location`, `Content-Location`, `URI` of a response, first
///   match
/// @param cookieDomains what is replaced in the domain of `Set-Cookie`
/// @param cookiePaths which path takes the place of one in `Set-Cookie` that begins so
/// @param forwarded whether `X-Forwarded-For`, `-Host`, `-Proto`, `-Server` are added
/// @param standardForwarded whether `Forwarded` (RFC 7239) is added
/// @param passForwarded whether the forwarding fields of a request go on whoever sends it, as httpd
///   passes them; then `X-Forwarded-For`, `-Host` and `-Server` come after those received, and no
///   `-Proto` is added
/// @param upgrade whether `Upgrade` is passed on (WebSocket)
/// @param replyTimeout takes the place of the peer's; null = the peer's
/// @param selection what `Selection` takes from the rule
/// @param failStatuses take the place of the peers'; null = the peers'
/// @param softFailStatuses the same without the peer's being put into error
/// @param overrideStatuses statuses of responses that the gateway's own error page replaces
///   (`use_server_errors`, `ProxyErrorOverride`): from this one up, 0 = none
/// @param attributes request attributes sent to AJP peers, and parameters to FastCGI peers
/// @param tlsFields fields that tell a peer of the TLS session with the client; those that a client
///   sends under such a name are dropped
/// @param overridden further statuses of responses that it replaces
/// @param sections what holds of requests for some paths; the last that says something counts
/// @param toldOnly whether FastCGI peers are told nothing but the attributes and the fields of the
///   request, as nginx tells them: an empty attribute, too, unless its name ends in `?`; one whose
///   name ends in `=` is what the gateway itself says of it
@RecordBuilder
public record ProxyRules(
        boolean keepHost,
        List<Replacement> reverse,
        List<Replacement> cookieDomains,
        List<Replacement> cookiePaths,
        boolean forwarded,
        boolean standardForwarded,
        boolean passForwarded,
        boolean upgrade,
        @Nullable Duration replyTimeout,
        SelectionRules selection,
        @Nullable List<Integer> failStatuses,
        @Nullable List<Integer> softFailStatuses,
        int overrideStatuses,
        Map<String, String> attributes,
        Map<String, TlsAttribute> tlsFields,
        List<Integer> overridden,
        List<PathRules> sections,
        boolean toldOnly)
        implements ProxyRulesBuilder.With {
    /// The attribute that names the file of a program.
    public static final String SCRIPT = "SCRIPT_FILENAME";

    /// What that begins with where the path at the program is still to come, as in httpd.
    private static final String BY_PATH = "proxy:";

    public ProxyRules {
        reverse = List.copyOf(reverse);
        cookieDomains = List.copyOf(cookieDomains);
        cookiePaths = List.copyOf(cookiePaths);
        attributes = Map.copyOf(attributes);
        tlsFields = Map.copyOf(tlsFields);
        overridden = List.copyOf(overridden);
        sections = List.copyOf(sections);
    }

    /// The client's host kept, `X-Forwarded-*` added, WebSocket passed on.
    public static ProxyRules defaults() {
        return new ProxyRules(
                true,
                List.of(),
                List.of(),
                List.of(),
                true,
                false,
                false,
                true,
                null,
                SelectionRules.NONE,
                null,
                null,
                0,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                false);
    }

    /// Whether a program is told of a request as mod_proxy_fcgi tells of what `ProxyPass` leads to
    /// it: the path there is put behind what the attribute says.
    public boolean runsByPath() {
        return passForwarded && attributes.getOrDefault(SCRIPT, "").startsWith(BY_PATH);
    }

    /// Whether peers are told what mod_proxy tells them, and not mod_jk.
    boolean isOfModProxy() {
        return passForwarded && forwarded;
    }

    /// Whether the gateway's own error page replaces a response.
    boolean overrides(int status) {
        return (overrideStatuses > 0 && status >= overrideStatuses) || overridden.contains(status);
    }

    /// What holds of a request for a path.
    ProxyRules at(String path) {
        ProxyRulesBuilder made = ProxyRulesBuilder.builder(this).sections(List.of());
        for (PathRules section : sections) {
            if (isWithin(section.below, path)) {
                section.apply(made);
            }
        }
        return made.build();
    }

    /// Whether a path is another, or below it; every one is below the empty one.
    private static boolean isWithin(String below, String path) {
        return path.startsWith(below)
                && (below.isEmpty()
                        || below.endsWith("/")
                        || path.length() == below.length()
                        || path.charAt(below.length()) == '/');
    }

    /// The same with the peers' own time for a response.
    ///
    /// @param webSocket whether WebSocket is passed on
    public ProxyRules ofPeer(boolean webSocket) {
        return ProxyRulesBuilder.builder(this).upgrade(webSocket).replyTimeout(null).build();
    }

    /// A text at the begin that is replaced by another.
    ///
    /// @param from as the peer says it: a URL, a path, a domain; `//*/PATH` is a path of any host
    /// @param to as the client is to see it
    /// @param below for requests at this path and below it; empty = for all
    public record Replacement(String from, String to, String below) {
        /// The begin of a path of any host.
        public static final String ANY_HOST = "//*";

        /// For all requests.
        public Replacement(String from, String to) {
            this(from, to, "");
        }

        /// Whether it is about requests for a path.
        boolean isFor(String path) {
            return isWithin(below, path);
        }
    }

    /// What holds of requests for a path and for those below it; null = what holds of others.
    ///
    /// @param keepHost as [ProxyRules#keepHost]
    /// @param forwarded as [ProxyRules#forwarded]
    /// @param overrideStatuses as [ProxyRules#overrideStatuses], with no others than those of
    ///   `overridden`
    /// @param overridden as [ProxyRules#overridden], where `overrideStatuses` is not null
    public record PathRules(
            String below,
            @Nullable Boolean keepHost,
            @Nullable Boolean forwarded,
            @Nullable Integer overrideStatuses,
            List<Integer> overridden) {
        public PathRules {
            overridden = List.copyOf(overridden);
        }

        private void apply(ProxyRulesBuilder to) {
            if (keepHost != null) {
                to.keepHost(keepHost);
            }
            if (forwarded != null) {
                to.forwarded(forwarded);
            }
            if (overrideStatuses != null) {
                to.overrideStatuses(overrideStatuses).overridden(overridden);
            }
        }
    }

    /// What a rule says about the choice of the peer.
    ///
    /// @param sessionCookie takes the place of the upstream's; null = the upstream's
    /// @param sessionParameter takes the place of the upstream's; null = the upstream's
    /// @param setCookie name of the cookie that the gateway sets; empty = none, null = the
    ///   upstream's
    /// @param setCookiePath its path; null = the upstream's
    public record SelectionRules(
            boolean stateless,
            boolean ignoreSessions,
            Map<String, Activation> activations,
            @Nullable String sessionCookie,
            @Nullable String sessionParameter,
            @Nullable String setCookie,
            @Nullable String setCookiePath) {
        /// Nothing.
        public static final SelectionRules NONE =
                new SelectionRules(false, false, Map.of(), null, null, null, null);

        public SelectionRules {
            activations = Map.copyOf(activations);
        }
    }
}
