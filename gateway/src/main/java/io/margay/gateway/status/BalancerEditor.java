package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.HealthConfigBuilder;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.config.UpstreamConfigStickyBuilder;
import io.margay.protocol.http.Authority;
import io.margay.server.exchange.Exchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Shows balancers and members, and takes the parameters of the form that httpd has for them: `b`,
/// `w`, `nonce`, `w_lf`, `w_ls`, `w_wr`, `w_rr`, `w_status_X`, `w_hm`, `w_hi`, `w_hp`, `w_hf`,
/// `w_hu`, `w_he`, `b_lbm`, `b_tmo`, `b_max`, `b_sforce`, `b_ss`, `b_nwrkr` with `b_wyes`; with
/// `xml=1` it answers in XML. Thread-safe.
///
/// Changes want a POST, the token and the nonce that the page shows. Checks are those of a
/// balancer, so that `w_h…` of one member holds for all, and only where there are checks. A new
/// member takes nothing until it is let to, as in httpd; it has the settings of the first one.
public final class BalancerEditor extends StatusPage {
    private static final int LB_SET_MAX = 99;
    private static final int ATTEMPTS_MAX = 99;
    private static final int NAME_CHARACTERS_MAX = 96;
    private static final int CHECK_MILLIS_MIN = 100;
    private static final int PATIENCE_SECONDS_MAX = 7200;

    private final StatusSource source;
    private final StatusAccess access;
    private final String nonce = UUID.randomUUID().toString();

    /// Members that were taken out by the letter D rather than S, which the page tells apart.
    private final Set<Peer> disabled = ConcurrentHashMap.newKeySet();

    public BalancerEditor(StatusSource source, StatusAccess access) {
        this.source = source;
        this.access = access;
    }

    @Override
    Page page(Exchange exchange, Map<String, String> parameters) {
        Upstream upstream = upstream(parameters.getOrDefault("b", ""));
        Peer peer = upstream == null ? null : peer(upstream, parameters.getOrDefault("w", ""));
        boolean posted =
                exchange.request().method().equals("POST")
                        && parameters.keySet().stream().anyMatch(BalancerEditor::isSetting);
        if (upstream != null && posted) {
            if (!access.mayChange(exchange)) {
                return new Page(
                        access.token() == null ? 403 : 401,
                        "text/plain",
                        "This page is read-only without its token.\n");
            }
            if (!isNonce(parameters.get("nonce"))) {
                return new Page(403, "text/plain", "The nonce is another: load the page again.\n");
            }
            tell(exchange, parameters);
            if (peer != null) {
                change(upstream, peer, parameters);
            } else {
                change(upstream, parameters);
                String why = add(upstream, parameters);
                if (why != null) {
                    return new Page(400, "text/plain", why + "\n");
                }
            }
            source.changed().accept(by(exchange));
        }
        BalancerPage page = new BalancerPage(source, nonce, disabled);
        if (parameters.containsKey("xml")) {
            return new Page(200, "text/xml", page.xml());
        }
        String host = Authority.host(exchange.request().target().authority());
        return Page.html(
                page.html(
                        host == null ? "localhost" : host,
                        exchange.request().target().rawPath(),
                        upstream,
                        peer));
    }

    private static boolean isSetting(String name) {
        return name.startsWith("w_") || name.startsWith("b_");
    }

    private boolean isNonce(@Nullable String given) {
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8),
                        nonce.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable Upstream upstream(String name) {
        return source.upstreams().stream()
                .filter(each -> each.config().name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Peer peer(Upstream upstream, String name) {
        return upstream.peers().stream()
                .filter(each ->
                        each.config().name().equals(name)
                                || BalancerPage.url(each.config()).equals(name))
                .findFirst()
                .orElse(null);
    }

    private void change(Upstream upstream, Peer peer, Map<String, String> parameters) {
        PeerConfig.Share share = peer.config().share();
        double factor = Numbers.parseDecimal(parameters.getOrDefault("w_lf", ""), -1);
        if (factor >= 1 && factor <= 100) {
            share = share.withWeight(factor);
        }
        int set = Numbers.parse(parameters.getOrDefault("w_ls", ""), -1);
        if (set >= 0 && set <= LB_SET_MAX) {
            share = share.withDistance(set);
        }
        share =
                share.withRoutes(
                        name(parameters, "w_wr", share.route()),
                        share.domain(),
                        name(parameters, "w_rr", share.redirect()));
        share =
                share.withRoles(
                        flag(parameters, 'H', share.standby()),
                        flag(parameters, 'R', share.spare()),
                        flag(parameters, 'I', share.ignoreErrors()));
        share = share.withActivation(activation(peer, parameters));
        peer.configure(peer.config().withShare(share));
        HealthConfig health = upstream.config().health();
        if (health != null) {
            upstream.configure(upstream.config().withHealth(checks(health, parameters)));
        }
        if (parameters.containsKey("w_status_C")) {
            peer.healthy(!flag(parameters, 'C', false), "by hand");
        }
    }

    /// The checks of the balancer with what a form says of them.
    private static HealthConfig checks(HealthConfig health, Map<String, String> parameters) {
        String method = parameters.getOrDefault("w_hm", "").replaceFirst("11$", "");
        HealthConfig.Kind kind =
                switch (method.toUpperCase(Locale.ROOT)) {
                    case "TCP" -> HealthConfig.Kind.TCP;
                    case "CPING" -> HealthConfig.Kind.CPING;
                    case "OPTIONS" -> HealthConfig.Kind.OPTIONS;
                    case "HEAD" -> HealthConfig.Kind.HEAD;
                    case "GET" -> HealthConfig.Kind.GET;
                    default -> health.kind();
                };
        int passes = Numbers.parse(parameters.getOrDefault("w_hp", ""), 0);
        int fails = Numbers.parse(parameters.getOrDefault("w_hf", ""), 0);
        String interval = parameters.getOrDefault("w_hi", "");
        boolean millis = interval.endsWith("ms");
        int amount = Numbers.parse(interval.replaceFirst("m?s$", ""), 0);
        long every = millis ? amount : amount * 1000L;
        String uri = parameters.getOrDefault("w_hu", "");
        HealthConfig.ExpectedResponse answer =
                health.answers().get(parameters.getOrDefault("w_he", ""));
        HealthConfig changed =
                HealthConfigBuilder.builder(health)
                        .kind(kind)
                        .uri(
                                uri.startsWith("/") && uri.length() < NAME_CHARACTERS_MAX
                                        ? uri
                                        : health.uri())
                        .every(
                                every >= CHECK_MILLIS_MIN
                                        ? Duration.ofMillis(every)
                                        : health.every())
                        .passes(passes > 0 ? passes : health.passes())
                        .fails(fails > 0 ? fails : health.fails())
                        .build();
        return answer == null ? changed : changed.withAnswer(answer);
    }

    private static String name(Map<String, String> parameters, String key, String otherwise) {
        String name = parameters.getOrDefault(key, otherwise);
        return name.length() < NAME_CHARACTERS_MAX ? name : "";
    }

    private static boolean flag(Map<String, String> parameters, char letter, boolean otherwise) {
        String value = parameters.get("w_status_" + letter);
        return value == null ? otherwise : Numbers.parse(value, 0) != 0;
    }

    private Activation activation(Peer peer, Map<String, String> parameters) {
        Activation before = peer.activation();
        boolean wasDisabled = before == Activation.STOPPED && disabled.contains(peer);
        boolean dis = flag(parameters, 'D', wasDisabled);
        boolean stop = flag(parameters, 'S', before == Activation.STOPPED && !wasDisabled);
        boolean drain = flag(parameters, 'N', before == Activation.DISABLED);
        if (dis && !stop) {
            disabled.add(peer);
        } else {
            disabled.remove(peer);
        }
        return dis || stop ? Activation.STOPPED : drain ? Activation.DISABLED : Activation.ACTIVE;
    }

    private static void change(Upstream upstream, Map<String, String> parameters) {
        UpstreamConfig config = upstream.config();
        BalanceMethod method =
                BalanceMethod.ofModProxy(parameters.getOrDefault("b_lbm", ""))
                        .orElse(config.method());
        int attempts = Numbers.parse(parameters.getOrDefault("b_max", ""), -1);
        if (attempts >= 0 && attempts <= ATTEMPTS_MAX) {
            config =
                    config.withTolerance(
                            attempts + 1, config.escalation(), config.replyTimeoutsMax());
        }
        int patience = Numbers.parse(parameters.getOrDefault("b_tmo", ""), -1);
        if (patience >= 0 && patience <= PATIENCE_SECONDS_MAX) {
            config = config.withPatience(Duration.ofSeconds(patience));
        }
        int force = Numbers.parse(parameters.getOrDefault("b_sforce", ""), -1);
        UpstreamConfig.Sticky sticky = config.sticky();
        if (force >= 0) {
            sticky = sticky.with(sticky.enabled(), force != 0);
        }
        sticky = sticky(sticky, parameters.getOrDefault("b_ss", "").replace(" ", ""));
        upstream.configure(config.withMethod(method).withSticky(sticky));
    }

    /// Adds the member that a form names.
    ///
    /// @return why that cannot be, or null
    private @Nullable String add(Upstream upstream, Map<String, String> parameters) {
        String url = parameters.getOrDefault("b_nwrkr", "");
        if (!parameters.getOrDefault("b_wyes", "").equals("1") || url.isEmpty()) {
            return null;
        }
        try {
            disabled.add(upstream.add(StateValues.added(upstream, url)));
            return null;
        } catch (IllegalArgumentException e) {
            return "There is no such member to be: " + e.getMessage();
        }
    }

    private static UpstreamConfig.Sticky sticky(UpstreamConfig.Sticky sticky, String names) {
        if (names.isEmpty() || names.length() >= NAME_CHARACTERS_MAX) {
            return sticky;
        }
        if (names.equals("-")) {
            return sticky.with(false, sticky.force());
        }
        int bar = names.indexOf('|');
        return UpstreamConfigStickyBuilder.builder(sticky)
                .enabled(true)
                .cookie(bar < 0 ? names : names.substring(0, bar))
                .parameter(bar < 0 ? names : names.substring(bar + 1))
                .build();
    }
}
