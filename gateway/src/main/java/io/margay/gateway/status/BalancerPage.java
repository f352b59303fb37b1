package io.margay.gateway.status;

import static io.margay.gateway.status.StatusPage.escaped;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.health.CheckResult;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What balancer-manager shows. Confined to one thread.
final class BalancerPage {
    private static final List<String> COLUMNS =
            List.of(
                    "Worker URL",
                    "Route",
                    "RouteRedir",
                    "Factor",
                    "Set",
                    "Status",
                    "Elected",
                    "Busy",
                    "Load",
                    "To",
                    "From",
                    "HC Method",
                    "HC Interval",
                    "Passes",
                    "Fails",
                    "HC uri",
                    "HC Expr");

    private final StatusSource source;
    private final String nonce;
    private final Set<Peer> disabled;
    private final StringBuilder out = new StringBuilder();

    BalancerPage(StatusSource source, String nonce, Set<Peer> disabled) {
        this.source = source;
        this.nonce = nonce;
        this.disabled = disabled;
    }

    /// mod_proxy's words for what a member is, such as `Init Ok ` and `Init Err `.
    static String status(Peer peer, Set<Peer> disabled) {
        PeerConfig.Share share = peer.config().share();
        Activation activation = peer.activation();
        boolean error = peer.state() == PeerState.ERROR || peer.ejection().isOut();
        StringBuilder words = new StringBuilder("Init ");
        words.append(share.ignoreErrors() ? "Ign " : "");
        words.append(activation == Activation.DISABLED ? "Drn " : "");
        if (activation == Activation.STOPPED) {
            words.append(disabled.contains(peer) ? "Dis " : "Stop ");
        }
        words.append(error ? "Err " : "");
        words.append(share.standby() ? "Stby " : "");
        words.append(share.spare() ? "Spar " : "");
        words.append(peer.healthy() ? "" : "HcFl ");
        boolean usable = activation != Activation.STOPPED && !error && peer.healthy();
        return words.append(usable ? "Ok " : "").toString();
    }

    private static String method(UpstreamConfig config) {
        String name = config.method().modProxy();
        return name.isEmpty() ? config.method().word() : name;
    }

    private static int failovers(Upstream upstream) {
        int attempts = upstream.config().attempts();
        return Math.max(0, (attempts > 0 ? attempts : upstream.peers().size()) - 1);
    }

    private static String factor(Peer peer) {
        return String.format(Locale.ROOT, "%.2f", peer.config().share().weight());
    }

    // XML

    private void put(int indent, String name, String value) {
        out.append(" ".repeat(indent)).append("<httpd:").append(name).append('>');
        out.append(escaped(value)).append("</httpd:").append(name).append(">\n");
    }

    String xml() {
        out.append("<?xml version='1.0' encoding='UTF-8' ?>\n");
        out.append("<httpd:manager xmlns:httpd='http://httpd.apache.org'>\n");
        out.append("  <httpd:balancers>\n");
        for (Upstream upstream : source.upstreams()) {
            UpstreamConfig config = upstream.config();
            out.append("    <httpd:balancer>\n");
            put(6, "name", "balancer://" + config.name());
            put(6, "nonce", nonce);
            if (config.sticky().enabled()) {
                put(6, "stickysession", config.sticky().cookie());
                put(6, "nofailover", config.sticky().force() ? "On" : "Off");
            }
            put(6, "timeout", Long.toString(config.patience().toSeconds()));
            put(6, "maxattempts", Integer.toString(failovers(upstream)));
            put(6, "lbmethod", method(config));
            if (config.sticky().enabled()) {
                put(6, "scolonpathdelim", "On");
            }
            out.append("      <httpd:workers>\n");
            upstream.peers().forEach(this::xml);
            out.append("      </httpd:workers>\n    </httpd:balancer>\n");
        }
        return out.append("  </httpd:balancers>\n</httpd:manager>\n").toString();
    }

    private void xml(Peer peer) {
        PeerConfig config = peer.config();
        out.append("        <httpd:worker>\n");
        put(10, "name", config.name());
        put(10, "scheme", config.address().scheme().word());
        put(10, "hostname", config.address().host());
        put(10, "loadfactor", factor(peer));
        put(10, "port", Integer.toString(config.address().port()));
        put(10, "min", Integer.toString(config.pool().min()));
        put(10, "smax", Integer.toString(config.pool().max()));
        put(10, "max", Integer.toString(config.pool().max()));
        put(10, "ttl", Long.toString(config.pool().idle().toSeconds()));
        put(10, "status", status(peer, disabled));
        put(10, "retries", Long.toString(peer.retries()));
        put(10, "lbstatus", Long.toString(peer.load()));
        put(10, "loadfactor", factor(peer));
        put(10, "transferred", Long.toString(peer.bytesOut()));
        put(10, "read", Long.toString(peer.bytesIn()));
        put(10, "elected", Long.toString(peer.used()));
        put(10, "route", config.share().route());
        put(10, "redirect", config.share().redirect());
        put(10, "busy", Integer.toString(peer.busy()));
        put(10, "lbset", Integer.toString(config.share().distance()));
        put(10, "retry", Long.toString(config.failures().recover().toSeconds()));
        out.append("        </httpd:worker>\n");
    }

    // HTML

    String html(String host, String path, @Nullable Upstream chosen, @Nullable Peer peer) {
        out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        out.append("<title>Balancer Manager</title>").append(StatusLooks.HEAD);
        out.append("</head>\n<body><main><h1>Load Balancer Manager for ").append(escaped(host));
        out.append("</h1>\n\n<ul><li>Server Version: ").append(escaped(source.software()));
        out.append("</li></ul>\n<h2>Balancers</h2>\n");
        for (Upstream upstream : source.upstreams()) {
            balancer(path, upstream);
        }
        out.append("<hr />\n");
        answers();
        if (chosen != null) {
            form(path, chosen, peer);
        }
        return out.append("</main></body></html>\n").toString();
    }

    /// The responses that checks may be told to expect, which httpd calls expressions.
    private void answers() {
        Map<String, HealthConfig.ExpectedResponse> answers = new TreeMap<>();
        for (Upstream upstream : source.upstreams()) {
            HealthConfig health = upstream.config().health();
            if (health != null) {
                answers.putAll(health.answers());
            }
        }
        if (answers.isEmpty()) {
            return;
        }
        out.append(StatusLooks.TABLE)
                .append("<tr><th colspan='2'>Health check cond. expressions:</th></tr>\n");
        out.append("<tr><th>Expr name</th><th>Expression</th></tr>\n");
        answers.forEach((name, answer) -> {
            String body = answer.body();
            out.append("<tr>");
            cell(name);
            cell(answer.statusFrom() + "-" + answer.statusTo() + (body == null ? "" : " " + body));
            out.append("</tr>\n");
        });
        out.append(StatusLooks.TABLE_END).append("<hr/>\n");
    }

    /// As httpd writes it: a URL that is a name can be read as one.
    private static String encoded(String text) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
        return escaped(encoded.replace("%3A", ":").replace("%2F", "/"));
    }

    /// The URL of a member, as httpd names it.
    static String url(PeerConfig config) {
        String address = config.address().toString();
        String implied = ":" + config.address().scheme().defaultPort();
        String named =
                address.endsWith(implied)
                        ? address.substring(0, address.length() - implied.length())
                        : address;
        return named + config.path();
    }

    private void balancer(String path, Upstream upstream) {
        UpstreamConfig config = upstream.config();
        String link = escaped(path) + "?b=" + encoded(config.name());
        out.append("<hr />\n<h3>LoadBalancer Status for <a href=\"").append(link);
        out.append("&amp;nonce=").append(nonce).append("\">balancer://");
        out.append(escaped(config.name())).append("</a></h3>\n\n");
        out.append(StatusLooks.TABLE).append("<tr>");
        for (String name :
                List.of(
                        "MaxMembers",
                        "StickySession",
                        "DisableFailover",
                        "Timeout",
                        "FailoverAttempts",
                        "Method",
                        "Path",
                        "Active")) {
            out.append("<th>").append(name).append("</th>");
        }
        int members = upstream.peers().size();
        out.append("</tr>\n<tr>");
        int most = members + Upstream.ADDED_MAX - upstream.added().size();
        cell(most + " [" + members + " Used]");
        UpstreamConfig.Sticky sticky = config.sticky();
        cell(sticky.enabled() ? sticky.cookie() + "|" + sticky.parameter() : " (None) ");
        cell(sticky.force() ? "On" : "Off");
        cell(Long.toString(config.patience().toSeconds()));
        cell(Integer.toString(failovers(upstream)));
        cell(method(config));
        cell(
                String.join(
                        " ",
                        source.maps().apply(config.name()).stream()
                                .map(StatusSource.UriMap::uri)
                                .toList()));
        cell("Yes");
        out.append("</tr>\n").append(StatusLooks.TABLE_END).append("\n<br />\n\n");
        out.append(StatusLooks.TABLE).append("<tr>");
        COLUMNS.forEach(name -> out.append("<th>" + name + "</th>"));
        out.append("</tr>\n");
        upstream.peers().forEach(peer -> row(link, peer, config.health()));
        out.append(StatusLooks.TABLE_END).append('\n');
    }

    private void cell(String text) {
        out.append("<td>").append(escaped(text)).append("</td>");
    }

    private void row(String link, Peer peer, @Nullable HealthConfig health) {
        PeerConfig config = peer.config();
        out.append("<tr>\n<td><a href=\"").append(link).append("&amp;w=");
        out.append(encoded(config.name())).append("&amp;nonce=").append(nonce).append("\">");
        out.append(escaped(config.name())).append("</a></td>");
        cell(config.share().route());
        cell(config.share().redirect());
        cell(factor(peer));
        cell(Integer.toString(config.share().distance()));
        String status = status(peer, disabled);
        out.append(
                status.contains("Err ") || status.contains("HcFl ")
                        ? "<td class=\"bad\">"
                        : "<td>");
        out.append(escaped(status)).append("</td>");
        cell(Long.toString(peer.used()));
        cell(Integer.toString(peer.busy()));
        cell(Long.toString(peer.load()));
        cell(size(peer.bytesOut()));
        cell(size(peer.bytesIn()));
        CheckResult result = source.checks().apply(peer);
        cell(health == null ? "NONE" : health.kind().name());
        cell(health == null ? "0ms" : health.every().toMillis() + "ms");
        cell((health == null ? 1 : health.passes()) + " (" + result.passes() + ")");
        cell((health == null ? 1 : health.fails()) + " (" + result.fails() + ")");
        cell(health == null ? "" : health.uri());
        cell(health == null ? "" : answer(health));
        out.append("</tr>\n");
    }

    /// Bytes as httpd writes sizes: four characters, such as ` 12K`.
    static String size(long bytes) {
        if (bytes < 973) {
            return String.format(Locale.ROOT, "%3d ", bytes);
        }
        double value = bytes;
        for (char unit : "KMGTPE".toCharArray()) {
            value /= 1024;
            if (value < 9.95) {
                return String.format(Locale.ROOT, "%.1f%c", value, unit);
            }
            if (value < 973) {
                return String.format(Locale.ROOT, "%3d%c", Math.round(value), unit);
            }
        }
        return "****";
    }

    // Forms

    private void form(String path, Upstream upstream, @Nullable Peer peer) {
        String name = upstream.config().name();
        out.append("<h3>Edit ").append(peer == null ? "balancer" : "worker");
        out.append(" settings for ");
        out.append(escaped(peer == null ? "balancer://" + name : peer.config().name()));
        out.append("</h3>\n<form method='POST' enctype='application/x-www-form-urlencoded'");
        out.append(" action=\"").append(escaped(path)).append("\">\n").append(StatusLooks.TABLE);
        if (peer == null) {
            ofBalancer(upstream.config(), failovers(upstream));
        } else {
            ofPeer(peer);
        }
        out.append("<tr><td colspan='2'><input type=submit value='Submit'></td></tr>\n");
        out.append(StatusLooks.TABLE_END).append('\n');
        if (peer != null) {
            hidden("w", peer.config().name());
        }
        hidden("b", name);
        hidden("nonce", nonce);
        out.append("</form>\n<hr />\n");
    }

    private void ofBalancer(UpstreamConfig config, int failovers) {
        Set<String> methods = new LinkedHashSet<>(BalanceMethod.namesOfModProxy());
        methods.add(method(config));
        select("LBmethod", "b_lbm", methods, method(config));
        input("Timeout", "b_tmo", Long.toString(config.patience().toSeconds()));
        input("Failover Attempts", "b_max", Integer.toString(failovers));
        radio("Disable Failover", "b_sforce", config.sticky().force());
        input(
                "Sticky Session",
                "b_ss",
                config.sticky().enabled()
                        ? config.sticky().cookie() + " | " + config.sticky().parameter()
                        : "-");
        input("Add New Worker", "b_nwrkr", "");
        out.append("<tr><td><label for='b_wyes'>Are you sure?</label></td><td>");
        out.append("<input name='b_wyes' id='b_wyes' ");
        out.append("type=checkbox value='1'></td></tr>\n");
    }

    private void ofPeer(Peer peer) {
        PeerConfig.Share share = peer.config().share();
        boolean stopped = share.activation() == Activation.STOPPED;
        boolean dis = stopped && disabled.contains(peer);
        input("Load factor", "w_lf", factor(peer));
        input("LB Set", "w_ls", Integer.toString(share.distance()));
        input("Route", "w_wr", share.route());
        input("Route Redirect", "w_rr", share.redirect());
        radio("Ignore Errors", "w_status_I", share.ignoreErrors());
        radio("Draining Mode", "w_status_N", share.activation() == Activation.DISABLED);
        radio("Disabled", "w_status_D", dis);
        radio("Hot Standby", "w_status_H", share.standby());
        radio("Hot Spare", "w_status_R", share.spare());
        radio("HC Fail", "w_status_C", !peer.healthy());
        radio("Stopped", "w_status_S", stopped && !dis);
        HealthConfig health = peer.upstream().health();
        if (health != null) {
            List<String> kinds = Arrays.stream(HealthConfig.Kind.values()).map(Enum::name).toList();
            select("HC Method", "w_hm", kinds, health.kind().name());
            select("Expr", "w_he", health.answers().keySet(), answer(health));
            input("HC Interval", "w_hi", health.every().toMillis() + "ms");
            input("Passes trigger", "w_hp", Integer.toString(health.passes()));
            input("Fails trigger", "w_hf", Integer.toString(health.fails()));
            input("HC uri", "w_hu", health.uri());
        }
    }

    private void input(String label, String name, String value) {
        label(label, name);
        out.append("<input name='").append(name);
        out.append("' id='").append(name).append("' type=text value=\"").append(escaped(value));
        out.append("\"></td></tr>\n");
    }

    private void label(String label, String name) {
        out.append("<tr><td><label for='").append(name).append("'>").append(label);
        out.append(":</label></td><td>");
    }

    private void select(String label, String name, Collection<String> values, String chosen) {
        label(label, name);
        out.append("<select name='").append(name);
        out.append("' id='").append(name).append("'>");
        for (String value : values) {
            out.append("<option value=\"").append(escaped(value)).append('"');
            out.append(value.equals(chosen) ? " selected " : "");
            out.append('>').append(escaped(value)).append("</option>");
        }
        out.append("</select></td></tr>\n");
    }

    /// The name of the response that is good, where it has one.
    private static String answer(HealthConfig health) {
        return health.answers().entrySet().stream()
                .filter(entry -> entry.getValue().equals(health.answer()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    private void radio(String label, String name, boolean on) {
        out.append("<tr><td>").append(label).append(":</td><td>");
        for (int value : new int[] {1, 0}) {
            out.append(value == 1 ? "<label>On " : "<label>Off ").append("<input name='");
            out.append(name).append("' type=radio value='").append(value).append('\'');
            out.append((value == 1) == on ? " checked" : "").append("></label> ");
        }
        out.append("</td></tr>\n");
    }

    private void hidden(String name, String value) {
        out.append("<input type=hidden name='").append(name).append("' id='").append(name);
        out.append("' value=\"").append(escaped(value)).append("\">\n");
    }
}
