package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.duration;
import static io.margay.app.config.binding.Forms.flag;
import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.named;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.text;
import static io.margay.app.config.binding.Forms.textOrNone;
import static io.margay.app.config.binding.Forms.whole;
import static io.margay.app.config.binding.Forms.word;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.yaml.Shape;
import io.margay.gateway.config.Activation;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRules.PathRules;
import io.margay.gateway.proxy.ProxyRules.Replacement;
import io.margay.gateway.proxy.ProxyRules.SelectionRules;
import io.margay.gateway.proxy.ProxyRulesBuilder;
import io.margay.gateway.proxy.ProxyRulesPathRulesBuilder;
import io.margay.gateway.proxy.ProxyRulesReplacementBuilder;
import io.margay.gateway.proxy.ProxyRulesSelectionRulesBuilder;
import io.margay.gateway.proxy.TlsAttribute;
import java.util.List;

/// The keys by which routes and rules say how requests are passed on to an upstream.
public final class ProxyKeys {
    private static final List<String> FORWARDED =
            List.of("x-forwarded", "standard", "both", "none");

    private static final Form<List<Integer>> STATUSES = list("statuses", whole(100, 599), 0);

    private static final Binding<Replacement, ProxyRulesReplacementBuilder> REPLACEMENT =
            Binding.of(
                            "a replacement",
                            new Replacement("", ""),
                            ProxyRulesReplacementBuilder::builder,
                            ProxyRulesReplacementBuilder::build)
                    .required(
                            "from",
                            textOrNone("a text"),
                            "As the peer says it; `//*/PATH` is a path of any host.")
                    .required("to", textOrNone("a text"), "As the client sees it.")
                    .key(
                            "below",
                            textOrNone("a path"),
                            "Only for requests at this path and below it.");

    private static final Form<List<Replacement>> REPLACEMENTS =
            list("replacements", section(REPLACEMENT), 0);

    private static final Binding<PathRules, ProxyRulesPathRulesBuilder> PATH_RULES =
            Binding.of(
                            "what holds below a path",
                            new PathRules("", null, null, null, List.of()),
                            ProxyRulesPathRulesBuilder::builder,
                            ProxyRulesPathRulesBuilder::build)
                    .required("below", textOrNone("a path"), "For it and what is below it.")
                    .key(
                            "keep-host",
                            flag(),
                            "as the rule says",
                            "Whether peers see the client's Host.")
                    .key(
                            "forwarded",
                            flag(),
                            "as the rule says",
                            "Whether X-Forwarded-* tell peers of the client.")
                    .keyAs(
                            "overrideStatuses",
                            "error-pages-from",
                            whole(0, 600),
                            "as the rule says",
                            "As in the rule.")
                    .keyAs(
                            "overridden",
                            "error-pages",
                            STATUSES,
                            "With `error-pages-from`: as in the rule.");

    private static final Binding<SelectionRules, ProxyRulesSelectionRulesBuilder> SELECTION =
            Binding.of(
                            "how a member is chosen",
                            SelectionRules.NONE,
                            ProxyRulesSelectionRulesBuilder::builder,
                            ProxyRulesSelectionRulesBuilder::build)
                    .key("stateless", flag(), "Whether requests make no sessions.")
                    .key(
                            "ignore-sessions",
                            flag(),
                            "Whether any peer may have requests of a session.")
                    .key(
                            "activations",
                            named(
                                    "activations by member",
                                    "MEMBER",
                                    Shape.text("a name"),
                                    word(Activation.values())),
                            "the members' own",
                            "What members are used for by this rule.")
                    .key("session-cookie", textOrNone("a name"), "the upstream's", "Its cookie.")
                    .key(
                            "session-parameter",
                            textOrNone("a name"),
                            "the upstream's",
                            "Its parameter.")
                    .keyAs(
                            "setCookie",
                            "session-set-cookie",
                            textOrNone("a name, or nothing"),
                            "the upstream's",
                            "A cookie that the gateway itself sets; nothing = none.")
                    .keyAs(
                            "setCookiePath",
                            "session-set-cookie-path",
                            text("a path"),
                            "/",
                            "Its path.");

    /// What a rule says.
    public static final Binding<ProxyRules, ProxyRulesBuilder> OF_RULE =
            forwarding("With `to`: ")
                    .key(
                            "pass-forwarded",
                            flag(),
                            "Whether the forwarding fields of a request go on whoever sends it, as"
                                    + " with httpd: those that are added come after them, and"
                                    + " X-Forwarded-Proto is not added. Else those of front ends"
                                    + " that client-address names go on, and others are dropped.")
                    .key(
                            "reverse",
                            REPLACEMENTS,
                            "What is replaced at the beginning of `Location`, `Content-Location`"
                                    + " and `URI`.")
                    .key("cookie-domains", REPLACEMENTS, "The same of cookies' domains.")
                    .key(
                            "cookie-paths",
                            REPLACEMENTS,
                            "Which path takes the place of a cookie's that begins so.")
                    .key(
                            "reply-timeout",
                            duration(),
                            "the peer's",
                            "Response timeout: how long a response may take to begin.")
                    .part("selection", SELECTION)
                    .key(
                            "fail-statuses",
                            STATUSES,
                            "the members'",
                            "Statuses that put a member into error; the client gets 503.")
                    .key(
                            "soft-fail-statuses",
                            STATUSES,
                            "the members'",
                            "Statuses with which the client gets 503.")
                    .keyAs(
                            "overrideStatuses",
                            "error-pages-from",
                            whole(0, 599),
                            "From this status on the gateway's own page is sent; 0 = never.")
                    .keyAs("overridden", "error-pages", STATUSES, "For these statuses, too.")
                    .keyAs(
                            "sections",
                            "paths",
                            list("paths", section(PATH_RULES), 0),
                            "What holds below some paths: the last that says something counts.")
                    .key(
                            "attributes",
                            named("attributes", "NAME", Shape.text("a name"), textOrNone("a text")),
                            "Request attributes for AJP13 peers, parameters for FastCGI peers; with"
                                    + " %{VARIABLE}. An empty one is not sent.");

    /// What a route says.
    public static final Binding<ProxyRules, ProxyRulesBuilder> OF_ROUTE =
            forwarding("With `gateway`: ");

    private ProxyKeys() {}

    private static Binding<ProxyRules, ProxyRulesBuilder> forwarding(String before) {
        return Binding.of(
                        "how requests are passed on",
                        ProxyRules.defaults(),
                        ProxyRulesBuilder::builder,
                        ProxyRulesBuilder::build)
                .key(
                        "host-header",
                        word(List.of("keep", "peer"), word -> word),
                        rules -> rules.keepHost() ? "keep" : "peer",
                        (to, word) -> to.keepHost(word.equals("keep")),
                        before + "whether peers see the client's Host or their own.")
                .key(
                        "forwarded",
                        word(FORWARDED, word -> word),
                        ProxyKeys::forwarded,
                        (to, word) ->
                                to.forwarded(word.equals("x-forwarded") || word.equals("both"))
                                        .standardForwarded(
                                                word.equals("standard") || word.equals("both")),
                        before
                                + "which fields tell peers of the client: X-Forwarded-*, Forwarded"
                                + " (RFC 7239).")
                .key("upgrade", flag(), before + "whether WebSocket is passed on.")
                .key(
                        "tls-fields",
                        named(
                                "fields that tell of TLS",
                                "FIELD",
                                Shape.text("a field name", ProxyKeys::fieldName),
                                word(List.of(TlsAttribute.values()), TlsAttribute::word)),
                        before
                                + "fields that tell peers of the TLS session with the client, its"
                                + " certificate above all; what clients send so is dropped.");
    }

    private static String forwarded(ProxyRules rules) {
        if (rules.standardForwarded()) {
            return rules.forwarded() ? "both" : "standard";
        }
        return rules.forwarded() ? "x-forwarded" : "none";
    }

    private static String fieldName(String text) {
        if (!text.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new IllegalArgumentException("letters, digits, \"-\" and \"_\" only");
        }
        return text;
    }
}
