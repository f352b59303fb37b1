package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `mime=html`: the pages that a person looks at. Confined to one thread.
final class JkHtml {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xx");
    private static final int NO_MEMBERS = 0x01;
    private static final int NO_MAPS = 0x02;
    private static final int NO_LEGEND = 0x04;
    private static final int NO_BALANCERS = 0x08;
    private static final int NO_WORKERS = 0x10;
    private static final int REFRESH_SECONDS_AFTER_UPDATE = 3;

    private static final List<String> MEMBER_COLUMNS =
            List.of(
                    "Name", "Act", "State", "D", "F", "M", "V", "Acc", "Sess", "Err", "CE", "RE",
                    "Wr", "Rd", "Busy", "MaxBusy", "Con", "MaxCon", "Route", "RR", "Cd", "Rs",
                    "LR");

    private static final List<String> MEMBER_KEYS =
            List.of(
                    "activation",
                    "state",
                    "distance",
                    "lbfactor",
                    "lbmult",
                    "lbvalue",
                    "elected",
                    "sessions",
                    "errors",
                    "client_errors",
                    "reply_timeouts",
                    "transferred",
                    "read",
                    "busy",
                    "max_busy",
                    "connected",
                    "max_connected",
                    "route",
                    "redirect",
                    "domain",
                    "time_to_recover_max",
                    "last_reset_ago");

    private static final List<String> LEGEND =
            List.of(
                    "Act|Activation: ACT active, DIS disabled, STP stopped",
                    "State|OK, or ERR in error; IDLE without requests, BUSY with as many as"
                            + " allowed, REC to be tried, PRB being tried, FRC tried since no other"
                            + " is left",
                    "D|Distance",
                    "F|Factor: its share",
                    "M|Multiplicity: what one request adds to V",
                    "V|Value: the least one is chosen",
                    "Acc|Requests",
                    "Sess|Requests without a session",
                    "Err|Failed requests",
                    "CE|Requests that the client failed",
                    "RE|Late answers, halved now and then",
                    "Wr, Rd|Bytes sent to it, received from it",
                    "Con|Connections to it",
                    "RR|Redirect route",
                    "Cd|Cluster domain",
                    "Rs|Seconds until it is tried again",
                    "LR|Seconds since the counters began");

    private final JkModel model;
    private final String path;
    private final Map<String, String> parameters;
    private final boolean writable;
    private final boolean hasToken;
    private final int options;
    private final StringBuilder out = new StringBuilder();

    JkHtml(
            JkModel model,
            String path,
            Map<String, String> parameters,
            boolean writable,
            boolean hasToken) {
        this.model = model;
        this.path = StatusPage.escaped(path);
        this.parameters = parameters;
        this.writable = writable;
        this.hasToken = hasToken;
        options = Numbers.parse(parameters.getOrDefault("opt", "0"), 0);
    }

    private static String head(String more) {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<title>JK Status Manager</title>"
                + more
                + "</head>\n<body>\n";
    }

    static String failed(JkModel model, String message) {
        return new JkHtml(model, "", Map.of(), false, false).failed(message);
    }

    String failed(String message) {
        return head("")
                + "<p><b>Result: ERROR - "
                + StatusPage.escaped(message)
                + "</b></p>\n<p><a href=\""
                + path
                + "\">JK Status Manager Start Page</a></p>\n</body></html>\n";
    }

    String done() {
        String name = StatusPage.escaped(parameters.getOrDefault("w", ""));
        String next = path + "?cmd=show&amp;w=" + name;
        return head(
                        "<meta http-equiv=\"Refresh\" content=\""
                                + REFRESH_SECONDS_AFTER_UPDATE
                                + ";url="
                                + next
                                + "\">")
                + "<p><b>Result: OK - You will be redirected in "
                + REFRESH_SECONDS_AFTER_UPDATE
                + " seconds.</b></p>\n<p><a href=\""
                + path
                + "\">JK Status Manager Start Page</a></p>\n</body></html>\n";
    }

    private void top() {
        int refresh = Numbers.parse(parameters.getOrDefault("re", "0"), 0);
        out.append(
                head(
                        refresh > 0
                                ? "<meta http-equiv=\"Refresh\" content=\"" + refresh + "\">"
                                : ""));
        out.append("<h1>JK Status Manager for ");
        out.append(StatusPage.escaped(model.host)).append(':').append(model.port);
        out.append("</h1>\n<table><tr><td>Server Version:</td><td>");
        out.append(StatusPage.escaped(model.software()));
        out.append("</td><td>Server Time:</td><td>");
        out.append(TIME.format(model.now.atZone(ZoneId.systemDefault())));
        out.append("</td></tr>\n<tr><td>JK Version:</td><td>");
        out.append(StatusPage.escaped(model.software()));
        out.append("</td><td>Unix Seconds:</td><td>");
        out.append(model.now.getEpochSecond());
        out.append("</td></tr></table>\n<p>[").append(link("cmd=list", "Worker list"));
        out.append("] [").append(link("cmd=dump", "Dump")).append("] [");
        for (String mime : List.of("xml", "prop", "txt")) {
            out.append(' ').append(link("cmd=list&amp;mime=" + mime, mime));
        }
        out.append(" ]").append(writable ? "" : " read only");
        out.append(writable || !hasToken ? "" : " [" + link("cmd=login", "Log in") + "]");
        out.append("</p>\n");
    }

    private String bottom() {
        return out.append("</body></html>\n").toString();
    }

    private String link(String query, String text) {
        return "<a href=\"" + path + "?" + query + "\">" + text + "</a>";
    }

    private static String encoded(String name) {
        return StatusPage.escaped(
                java.net.URLEncoder.encode(name, java.nio.charset.StandardCharsets.UTF_8));
    }

    String version() {
        top();
        return bottom();
    }

    String dump() {
        top();
        out.append("<pre>\n");
        model.dump()
                .forEach(
                        (name, value) -> out.append(StatusPage.escaped(name + "=" + value) + "\n"));
        out.append("</pre>\n");
        return bottom();
    }

    String show(List<Upstream> upstreams) {
        top();
        for (Upstream upstream : upstreams) {
            boolean worker = JkModel.isWorker(upstream);
            if ((options & (worker ? NO_WORKERS : NO_BALANCERS)) == 0) {
                upstream(upstream, worker);
            }
        }
        if ((options & NO_LEGEND) == 0) {
            out.append("<h2>Legend</h2>\n<table>\n");
            for (String entry : LEGEND) {
                int bar = entry.indexOf('|');
                out.append("<tr><th>").append(entry, 0, bar).append("</th><td>");
                out.append(entry.substring(bar + 1)).append("</td></tr>\n");
            }
            out.append("</table>\n");
        }
        return bottom();
    }

    private void upstream(Upstream upstream, boolean worker) {
        String name = upstream.config().name();
        String of = "w=" + encoded(name);
        out.append("<hr><h3>[").append(link("cmd=show&amp;" + of, "S"));
        if (writable) {
            out.append('|').append(link("cmd=edit&amp;" + of, "E"));
            out.append('|').append(link("cmd=reset&amp;" + of, "R"));
        }
        out.append("] Worker Status for ").append(StatusPage.escaped(name)).append("</h3>\n");
        Map<String, String> values = worker ? model.worker(upstream) : model.balancer(upstream);
        table(List.copyOf(values.keySet()), List.of(List.copyOf(values.values())));
        if (!worker && (options & NO_MEMBERS) == 0) {
            members(upstream, of);
        }
        List<Map<String, String>> maps = model.maps(upstream);
        if (!maps.isEmpty() && (options & NO_MAPS) == 0) {
            out.append("<h4>URI Mappings for ").append(StatusPage.escaped(name)).append("</h4>\n");
            table(
                    List.copyOf(maps.getFirst().keySet()),
                    maps.stream().map(map -> List.copyOf(map.values())).toList());
        }
    }

    private void members(Upstream upstream, String of) {
        out.append("<h4>Balancer Members</h4>\n<table><tr><th></th>");
        MEMBER_COLUMNS.forEach(column -> out.append("<th>" + column + "</th>"));
        out.append("</tr>\n");
        String only = parameters.getOrDefault("sw", "");
        for (Peer peer : upstream.peers()) {
            String name = peer.config().name();
            if (!only.isEmpty() && !only.equals(name)) {
                continue;
            }
            String member = of + "&amp;sw=" + encoded(name);
            out.append("<tr><td>[").append(link("cmd=show&amp;" + member, "S"));
            if (writable) {
                out.append('|').append(link("cmd=edit&amp;" + member, "E"));
                out.append('|').append(link("cmd=reset&amp;" + member, "R"));
                out.append('|').append(link("cmd=recover&amp;" + member, "T"));
            }
            out.append("]</td><td>").append(StatusPage.escaped(name)).append("</td>");
            Map<String, String> values = model.member(peer);
            for (String key : MEMBER_KEYS) {
                cell(values.getOrDefault(key, ""));
            }
            out.append("</tr>\n");
        }
        out.append("</table>\n");
    }

    private void table(List<String> names, List<List<String>> rows) {
        out.append("<table><tr>");
        names.forEach(name -> out.append("<th>" + StatusPage.escaped(name) + "</th>"));
        out.append("</tr>\n");
        for (List<String> row : rows) {
            out.append("<tr>");
            row.forEach(this::cell);
            out.append("</tr>\n");
        }
        out.append("</table>\n");
    }

    private void cell(String value) {
        out.append("<td>").append(StatusPage.escaped(value)).append("</td>");
    }

    // Forms

    String edit(Upstream upstream, Optional<Peer> member) {
        out.append(head(""));
        String name = upstream.config().name();
        Optional<Peer> peer =
                JkModel.isWorker(upstream) ? Optional.of(upstream.peers().getFirst()) : member;
        out.append("<h3>Edit ").append(StatusPage.escaped(name)).append("</h3>\n");
        out.append("<form method=\"post\" action=\"").append(path).append("\">\n");
        hidden("cmd", "update");
        hidden("w", name);
        member.ifPresent(one -> hidden("sw", one.config().name()));
        out.append("<table>\n");
        if (peer.isPresent()) {
            peer(peer.get());
        } else {
            balancer(upstream);
        }
        out.append("</table>\n<input type=\"submit\" value=\"Update\">\n</form>\n");
        return bottom();
    }

    private void balancer(Upstream upstream) {
        UpstreamConfig config = upstream.config();
        PeerConfig.Failures failures = upstream.peers().getFirst().config().failures();
        input("Retries", "vlr", config.rounds());
        input("Retry Interval", "vlri", failures.retryInterval().toMillis());
        input("Recover Wait Time", "vlt", failures.recover().toSeconds());
        input("Error Escalation Time", "vlee", config.escalation().toSeconds());
        input("Max Reply Timeouts", "vlx", config.replyTimeoutsMax());
        select("Sticky Sessions", "vls", List.of("0", "1"), config.sticky().enabled() ? 1 : 0);
        select("Force Sticky Sessions", "vlf", List.of("0", "1"), config.sticky().force() ? 1 : 0);
        select(
                "LB Method",
                "vlm",
                List.of("Requests", "Traffic", "Busyness", "Sessions", "Next"),
                List.of(
                                BalanceMethod.REQUESTS,
                                BalanceMethod.TRAFFIC,
                                BalanceMethod.BUSYNESS,
                                BalanceMethod.SESSIONS,
                                BalanceMethod.NEXT)
                        .indexOf(config.method()));
    }

    private void peer(Peer peer) {
        PeerConfig config = peer.config();
        Map<String, String> values = model.member(peer);
        select(
                "Activation",
                "vwa",
                List.of("Active", "Disabled", "Stopped"),
                List.of(Activation.ACTIVE, Activation.DISABLED, Activation.STOPPED)
                        .indexOf(config.share().activation()));
        input("LB Factor", "vwf", values.getOrDefault("lbfactor", "1"));
        input("Route", "vwn", config.share().route());
        input("Redirect Route", "vwr", config.share().redirect());
        input("Cluster Domain", "vwc", config.share().domain());
        input("Distance", "vwd", config.share().distance());
        input("Hostname", "vahst", config.address().host());
        input("Port", "vaprt", config.address().port());
        input("Connection Pool Timeout", "vacpt", config.pool().idle().toSeconds());
        input("Ping Timeout", "vapng", config.timeouts().ping().toMillis());
        input("Connect Timeout", "vact", values.getOrDefault("connect_timeout", "0"));
        input("Prepost Timeout", "vapt", values.getOrDefault("prepost_timeout", "0"));
        input("Reply Timeout", "vart", config.timeouts().reply().toMillis());
        input("Retries", "var", config.failures().retries());
        input("Retry Interval", "vari", config.failures().retryInterval().toMillis());
        input("Recovery Options", "varo", config.failures().recoveryOptions());
        input("Busy Limit", "vabl", config.share().busyMax());
        input("Max Packet Size", "vamps", config.ajp().packetBytesMax());
    }

    private void hidden(String name, String value) {
        out.append("<input type=\"hidden\" name=\"").append(name).append("\" value=\"");
        out.append(StatusPage.escaped(value)).append("\">\n");
    }

    private void input(String label, String name, long value) {
        input(label, name, Long.toString(value));
    }

    private void input(String label, String name, String value) {
        out.append("<tr><td>").append(label).append(":</td><td><input name=\"").append(name);
        out.append("\" type=\"text\" value=\"").append(StatusPage.escaped(value));
        out.append("\"></td></tr>\n");
    }

    private void select(String label, String name, List<String> words, int chosen) {
        out.append("<tr><td>").append(label).append(":</td><td><select name=\"").append(name);
        out.append("\">");
        for (int i = 0; i < words.size(); i++) {
            out.append("<option value=\"").append(i).append(i == chosen ? "\" selected>" : "\">");
            out.append(words.get(i)).append("</option>");
        }
        out.append("</select></td></tr>\n");
    }
}
