package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.yaml.Shape;
import io.margay.gateway.config.Activation;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRules.PathRules;
import io.margay.gateway.proxy.ProxyRules.Replacement;
import io.margay.gateway.proxy.ProxyRules.SelectionRules;
import io.margay.gateway.proxy.TlsAttribute;
import java.util.List;

/// The keys by which routes and rules say how requests are passed on to an upstream.
public final class ProxyKeys {
    private static final Keys<Replacement> REPLACEMENT =
            Binding.of("a replacement", new Replacement("", ""))
                    .keys(
                            """
                            from <a text?> [required]: As the peer says it; `//*/PATH` is a path of
                              any host.
                            to <a text?> [required]: As the client sees it.
                            below <a path?>: Only for requests at this path and below it.
                            """);

    private static final Form<List<Replacement>> REPLACEMENTS =
            list("replacements", section(REPLACEMENT), 0);

    private static final Keys<PathRules> PATH_RULES =
            Binding.of("what holds below a path", new PathRules("", null, null, null, List.of()))
                    .keys(
                            """
                            below <a path?> [required]: For it and what is below it.
                            keep-host [as the rule says]: Members get the client's Host.
                            forwarded [as the rule says]: Members get X-Forwarded-* about the
                              client.
                            error-pages-from (overrideStatuses) <0 to 600> [as the rule says]: As in
                              the rule.
                            error-pages (overridden) <statuses, each 100 to 599>: With
                              `error-pages-from`: as in the rule.
                            """);

    private static final Keys<SelectionRules> SELECTION =
            Binding.of("how a member is chosen", SelectionRules.NONE)
                    .form(
                            "activations",
                            named(
                                    "activations by member",
                                    "MEMBER",
                                    Shape.text("a name"),
                                    word(Activation.values())))
                    .keys(
                            """
                            stateless: Creates no sessions.
                            ignore-sessions: Ignores sessions when choosing a member.
                            activations [the members' own]: Overrides members' `activation` for this
                              rule.
                            session-cookie <a name?> [the upstream's]: Its cookie.
                            session-parameter <a name?> [the upstream's]: Its parameter.
                            session-set-cookie (setCookie) <a name, or nothing?> [the upstream's]: A
                              cookie that the gateway itself sets; nothing = none.
                            session-set-cookie-path (setCookiePath) <a path> [/]: Its path.
                            """);

    public static final Binding<ProxyRules> OF_RULE =
            forwarding("With `to`: ")
                    .form("reverse", REPLACEMENTS)
                    .form("cookie-domains", REPLACEMENTS)
                    .form("cookie-paths", REPLACEMENTS)
                    .keys(
                            """
                            pass-forwarded: Passes on the request's forwarding fields from any
                              client and appends to them, as httpd does; X-Forwarded-Proto is not
                              added. Otherwise only fields of `client-address` front ends pass.
                            reverse: Replaces the beginning of `Location`, `Content-Location` and
                              `URI`.
                            cookie-domains: The same for cookies' domains.
                            cookie-paths: The same for cookies' paths.
                            reply-timeout [the member's]: Response timeout: how long a response may
                              take to begin.
                            """)
                    .part("selection", SELECTION)
                    .form("paths", list("paths", section(PATH_RULES), 0))
                    .form("attributes", named("attributes", textOrNone("a text")))
                    .keys(
                            """
                            fail-statuses <statuses, each 100 to 599> [the members']: Statuses that
                              put a member into error; the client gets 503.
                            soft-fail-statuses <statuses, each 100 to 599> [the members']: Statuses
                              with which the client gets 503.
                            error-pages-from (overrideStatuses) <0 to 599>: From this status on the
                              gateway's own page is sent; 0 = never.
                            error-pages (overridden) <statuses, each 100 to 599>: For these
                              statuses, too.
                            paths (sections): Overrides for paths below; the last that matches
                              applies.
                            attributes: Request attributes for AJP13, parameters for FastCGI; with
                              %{VARIABLE}. Empty ones are not sent.
                            attributes-only (toldOnly): Sends FastCGI members only these and the
                              request headers, as nginx does; empty ones too, unless their name ends
                              in `?`.
                            """);

    public static final Binding<ProxyRules> OF_ROUTE = forwarding("With `gateway`: ");

    private ProxyKeys() {}

    private static Binding<ProxyRules> forwarding(String before) {
        return Binding.of("how requests are passed on", ProxyRules.defaults())
                .form("host-header", word(List.of(true, false), keeps -> keeps ? "keep" : "peer"))
                .form(
                        "forwarded",
                        words("x-forwarded", "standard", "both", "none"),
                        ProxyKeys::forwarded,
                        (to, word) ->
                                to.set(
                                                "forwarded",
                                                word.equals("x-forwarded") || word.equals("both"))
                                        .set(
                                                "standardForwarded",
                                                word.equals("standard") || word.equals("both")))
                .form(
                        "tls-fields",
                        named(
                                "fields with TLS data",
                                "FIELD",
                                Shape.matching(
                                        "a field name",
                                        text -> text.matches("[A-Za-z0-9_-]{1,64}"),
                                        "letters, digits, \"-\" and \"_\" only"),
                                word(TlsAttribute.values())))
                .keys(
                        """
                        host-header (keepHost): %1$swhether members get the client's Host or their
                          own.
                        forwarded: %1$sheaders that name the client: X-Forwarded-*, Forwarded (RFC
                          7239).
                        upgrade: %1$swhether WebSocket is passed on.
                        tls-fields: %1$sheaders with the client's TLS session and certificate; the
                          client's own are dropped.
                        """
                                .formatted(before));
    }

    private static String forwarded(ProxyRules rules) {
        if (rules.standardForwarded()) {
            return rules.forwarded() ? "both" : "standard";
        }
        return rules.forwarded() ? "x-forwarded" : "none";
    }
}
