package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// `mime=html`: the pages that a person looks at. Confined to one thread.
final class JkHtml {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xx");
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
                    "RE|Late responses, halved now and then",
                    "Wr, Rd|Bytes sent to it, received from it",
                    "Con|Connections to it",
                    "RR|Redirect route",
                    "Cd|Cluster domain",
                    "Rs|Seconds until it is tried again",
                    "LR|Seconds since the counters began");

    /// What can be edited of a member, alone and of all at once, with its name in mod_jk.
    private static final Map<String, String> ASPECTS = new LinkedHashMap<>();

    static {
        ASPECTS.put("vwa", "Activation");
        ASPECTS.put("vwf", "LB Factor");
        ASPECTS.put("vwn", "Route");
        ASPECTS.put("vwr", "Redirect Route");
        ASPECTS.put("vwc", "Cluster Domain");
        ASPECTS.put("vwd", "Distance");
        ASPECTS.put("vacpt", "Connection Pool Timeout");
        ASPECTS.put("vapng", "Ping Timeout");
        ASPECTS.put("vact", "Connect Timeout");
        ASPECTS.put("vapt", "Prepost Timeout");
        ASPECTS.put("vart", "Reply Timeout");
        ASPECTS.put("var", "Retries");
        ASPECTS.put("vari", "Retry Interval");
        ASPECTS.put("vacpi", "Connection Ping Interval");
        ASPECTS.put("varo", "Recovery Options");
        ASPECTS.put("vabl", "Busy Limit");
        ASPECTS.put("vamps", "Max Packet Size");
    }

    private static final List<String> BALANCER_KEYS =
            List.of(
                    "type",
                    "sticky_session",
                    "sticky_session_force",
                    "retries",
                    "method",
                    "lock",
                    "recover_time",
                    "error_escalation_time",
                    "max_reply_timeouts");

    private static final List<String> CONNECTION_KEYS =
            List.of(
                    "type",
                    "host",
                    "port",
                    "address",
                    "source",
                    "connection_pool_timeout",
                    "ping_timeout",
                    "connect_timeout",
                    "prepost_timeout",
                    "reply_timeout",
                    "connection_ping_interval",
                    "retries",
                    "recovery_options",
                    "busy_limit",
                    "max_packet_size");

    private final JkModel model;
    private final String path;
    private final Map<String, String> parameters;
    private final boolean writable;
    private final boolean hasToken;
    private final int options;
    private final int refresh;
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
        options = JkOption.bits(parameters);
        refresh = Math.max(0, Numbers.parse(parameters.getOrDefault("re", "0"), 0));
    }

    private static String head(String more) {
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<title>JK Status Manager</title>"
                + StatusLooks.HEAD
                + more
                + "</head>\n<body><main>\n";
    }

    static String failed(JkModel model, String message) {
        return new JkHtml(model, "", Map.of(), false, false).failed(message);
    }

    String failed(String message) {
        return head("")
                + "<h1>JK Status Manager</h1>\n<p><b>Result: ERROR - "
                + StatusPage.escaped(message)
                + "</b></p>\n<p><a href=\""
                + path
                + "\">JK Status Manager Start Page</a></p>\n</main></body></html>\n";
    }

    String done() {
        String name = StatusPage.escaped(parameters.getOrDefault("w", ""));
        String next = path + "?cmd=show&amp;w=" + name + kept(options);
        return head(
                        "<meta http-equiv=\"Refresh\" content=\""
                                + REFRESH_SECONDS_AFTER_UPDATE
                                + ";url="
                                + next
                                + "\">")
                + "<h1>JK Status Manager</h1>\n<p><b>Result: OK - You will be redirected in "
                + REFRESH_SECONDS_AFTER_UPDATE
                + " seconds.</b></p>\n<p><a href=\""
                + path
                + "\">JK Status Manager Start Page</a></p>\n</main></body></html>\n";
    }

    private void top() {
        out.append(
                head(
                        refresh > 0
                                ? "<meta http-equiv=\"Refresh\" content=\"" + refresh + "\">"
                                : ""));
        out.append("<h1>JK Status Manager for ");
        out.append(StatusPage.escaped(model.host)).append(':').append(model.port);
        out.append("</h1>\n" + StatusLooks.TABLE + "<tr><td>Server Version:</td><td>");
        out.append(StatusPage.escaped(model.software()));
        out.append("</td><td>Server Time:</td><td>");
        out.append(TIME.format(model.now.atZone(ZoneId.systemDefault())));
        out.append("</td></tr>\n<tr><td>JK Version:</td><td>");
        out.append(StatusPage.escaped(model.software()));
        out.append("</td><td>Unix Seconds:</td><td>");
        out.append(model.now.getEpochSecond());
        out.append("</td></tr>" + StatusLooks.TABLE_END + "\n<p>[")
                .append(link("cmd=list", "Worker list"));
        out.append("] [").append(link("cmd=dump", "Dump")).append("] [");
        if (hasToken) {
            out.append(toggle(JkOption.READ_ONLY, "Read/Write", "Read Only")).append("] [");
        }
        for (String mime : List.of("xml", "prop", "txt")) {
            out.append(' ').append(link("cmd=list&amp;mime=" + mime, mime));
        }
        out.append(" ]").append(writable ? "" : " read only");
        out.append(writable || !hasToken ? "" : " [" + link("cmd=login", "Log in") + "]");
        out.append("</p>\n");
        refreshing();
    }

    /// Starts and ends that the page is loaded again and again.
    private void refreshing() {
        if (refresh > 0) {
            String stop = path + "?" + here() + kept(options, 0);
            out.append("<p>[<a href=\"").append(stop).append("\">Stop auto refresh</a>]</p>\n");
            return;
        }
        out.append("<form method=\"get\" action=\"").append(path).append("\"><p>\n");
        for (String name : List.of("cmd", "w", "sw", "opt")) {
            if (!parameters.getOrDefault(name, "").isEmpty()) {
                hidden(name, parameters.getOrDefault(name, ""));
            }
        }
        out.append("<input type=\"submit\" value=\"Start auto refresh\"> ");
        out.append("<label>(every <input name=\"re\" type=\"text\" size=\"3\" value=\"10\">");
        out.append(" seconds)</label></p></form>\n");
    }

    /// The query of this page, without what is kept from page to page.
    private String here() {
        StringBuilder query = new StringBuilder("cmd=");
        query.append(encoded(parameters.getOrDefault("cmd", "list")));
        for (String name : List.of("w", "sw")) {
            if (!parameters.getOrDefault(name, "").isEmpty()) {
                query.append("&amp;").append(name).append('=');
                query.append(encoded(parameters.getOrDefault(name, "")));
            }
        }
        return query.toString();
    }

    /// A link to this page with one thing shown or hidden.
    private String toggle(JkOption option, String shown, String hidden) {
        return "<a href=\""
                + path
                + "?"
                + here()
                + kept(options ^ option.bit)
                + "\">"
                + (option.isIn(options) ? shown : hidden)
                + "</a>";
    }

    private String hide(JkOption option) {
        return " [" + toggle(option, "Show", "Hide") + "]";
    }

    private String kept(int bits) {
        return kept(bits, refresh);
    }

    private static String kept(int bits, int seconds) {
        return (seconds > 0 ? "&amp;re=" + seconds : "") + (bits == 0 ? "" : "&amp;opt=" + bits);
    }

    private String bottom() {
        return out.append("</main></body></html>\n").toString();
    }

    private String link(String query, String text) {
        return "<a href=\"" + path + "?" + query + kept(options) + "\">" + text + "</a>";
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
        out.append("<pre tabindex=\"0\">\n");
        model.dump()
                .forEach(
                        (name, value) -> out.append(StatusPage.escaped(name + "=" + value) + "\n"));
        out.append("</pre>\n");
        return bottom();
    }

    String show(List<Upstream> upstreams) {
        top();
        kind("Load Balancing Workers", JkOption.NO_BALANCERS, upstreams, false);
        kind("AJP Workers", JkOption.NO_WORKERS, upstreams, true);
        out.append("<h2>Legend").append(hide(JkOption.NO_LEGEND)).append("</h2>\n");
        if (!JkOption.NO_LEGEND.isIn(options)) {
            out.append(StatusLooks.TABLE).append('\n');
            for (String entry : LEGEND) {
                int bar = entry.indexOf('|');
                out.append("<tr><th>").append(entry, 0, bar).append("</th><td>");
                out.append(entry.substring(bar + 1)).append("</td></tr>\n");
            }
            out.append(StatusLooks.TABLE_END).append('\n');
        }
        return bottom();
    }

    private void kind(String title, JkOption option, List<Upstream> upstreams, boolean workers) {
        List<Upstream> of =
                upstreams.stream().filter(each -> JkModel.isWorker(each) == workers).toList();
        if (of.isEmpty()) {
            return;
        }
        out.append("<hr><h2>Listing ").append(title).append(" (").append(of.size()).append(')');
        out.append(hide(option)).append("</h2>\n");
        if (!option.isIn(options)) {
            of.forEach(upstream -> upstream(upstream, workers));
        }
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
        if (worker) {
            Map<String, String> values = model.worker(upstream);
            part("Configuration", JkOption.NO_WORKER_CONFIG, List.of(), List.of(values), true);
            table(values, key -> !CONNECTION_KEYS.contains(key));
        } else {
            Map<String, String> values = model.balancer(upstream);
            part("Configuration", JkOption.NO_BALANCER_CONFIG, List.of(), List.of(values), false);
            out.append("<h4>Summary").append(hide(JkOption.NO_BALANCER_SUMMARY)).append("</h4>\n");
            if (!JkOption.NO_BALANCER_SUMMARY.isIn(options)) {
                table(values, key -> !BALANCER_KEYS.contains(key));
            }
            out.append("<h4>Balancer Members").append(hide(JkOption.NO_MEMBERS)).append("</h4>\n");
            if (!JkOption.NO_MEMBERS.isIn(options)) {
                List<Peer> shown = shown(upstream);
                part(
                        "Connections",
                        JkOption.NO_WORKER_CONFIG,
                        shown.stream().map(peer -> peer.config().name()).toList(),
                        shown.stream().map(model::member).toList(),
                        true);
                members(shown, of);
            }
        }
        List<Map<String, String>> maps = model.maps(upstream);
        if (!maps.isEmpty()) {
            out.append("<h4>URI Mappings for ").append(StatusPage.escaped(name));
            out.append(hide(JkOption.NO_MAPS)).append("</h4>\n");
            if (!JkOption.NO_MAPS.isIn(options)) {
                table(
                        List.copyOf(maps.getFirst().keySet()),
                        maps.stream().map(map -> List.copyOf(map.values())).toList());
            }
        }
    }

    /// How workers, or a balancer, are configured.
    ///
    /// @param names of the workers, where there are several
    private void part(
            String title,
            JkOption option,
            List<String> names,
            List<Map<String, String>> rows,
            boolean workers) {
        out.append("<h4>").append(title).append(hide(option)).append("</h4>\n");
        if (option.isIn(options)) {
            return;
        }
        List<String> keys = new ArrayList<>(workers ? CONNECTION_KEYS : BALANCER_KEYS);
        List<List<String>> cells = new ArrayList<>();
        for (Map<String, String> row : rows) {
            List<String> values = new ArrayList<>();
            keys.forEach(key -> values.add(row.getOrDefault(key, "")));
            if (!names.isEmpty()) {
                values.addFirst(names.get(cells.size()));
            }
            cells.add(values);
        }
        if (!names.isEmpty()) {
            keys.addFirst("name");
        }
        table(keys, cells);
    }

    private void table(Map<String, String> values, Predicate<String> shown) {
        List<String> keys = values.keySet().stream().filter(shown).toList();
        table(keys, List.of(keys.stream().map(key -> values.getOrDefault(key, "")).toList()));
    }

    private List<Peer> shown(Upstream upstream) {
        String only = parameters.getOrDefault("sw", "");
        return upstream.peers().stream()
                .filter(peer -> only.isEmpty() || only.equals(peer.config().name()))
                .toList();
    }

    private void members(List<Peer> shown, String of) {
        out.append(StatusLooks.TABLE).append("<tr><td></td>");
        MEMBER_COLUMNS.forEach(column -> out.append("<th>" + column + "</th>"));
        out.append("</tr>\n");
        for (Peer peer : shown) {
            String name = peer.config().name();
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
                String value = values.getOrDefault(key, "");
                cell(value, key.equals("state") && value.startsWith("ERR") ? "bad" : "");
            }
            out.append("</tr>\n");
        }
        out.append(StatusLooks.TABLE_END).append('\n');
        if (writable) {
            aspects(of);
        }
    }

    /// Leads to the form for one aspect of all members.
    private void aspects(String of) {
        out.append("<p>Edit for all members:");
        ASPECTS.forEach((name, label) ->
                out.append(" [" + link("cmd=edit&amp;" + of + "&amp;att=" + name, label) + "]"));
        out.append("</p>\n");
    }

    private void table(List<String> names, List<List<String>> rows) {
        out.append(StatusLooks.TABLE).append("<tr>");
        names.forEach(name -> out.append("<th>" + StatusPage.escaped(name) + "</th>"));
        out.append("</tr>\n");
        for (List<String> row : rows) {
            out.append("<tr>");
            row.forEach(this::cell);
            out.append("</tr>\n");
        }
        out.append(StatusLooks.TABLE_END).append('\n');
    }

    private void cell(String value) {
        cell(value, "");
    }

    /// @param kind how it looks; empty = as others
    private void cell(String value, String kind) {
        out.append(kind.isEmpty() ? "<td>" : "<td class=\"" + kind + "\">");
        out.append(StatusPage.escaped(value)).append("</td>");
    }

    // Forms

    String edit(Upstream upstream, Optional<Peer> member) {
        out.append(head(""));
        String name = upstream.config().name();
        Optional<Peer> peer =
                JkModel.isWorker(upstream) ? Optional.of(upstream.peers().getFirst()) : member;
        out.append("<h1>Edit ").append(StatusPage.escaped(name)).append("</h1>\n");
        out.append("<form method=\"post\" action=\"").append(path).append("\">\n");
        hidden("cmd", "update");
        hidden("w", name);
        member.ifPresent(one -> hidden("sw", one.config().name()));
        out.append(StatusLooks.TABLE).append('\n');
        if (peer.isPresent()) {
            peer(peer.get());
        } else {
            balancer(upstream);
        }
        out.append(StatusLooks.TABLE_END);
        out.append("\n<p><input type=\"submit\" value=\"Update\"></p>\n</form>\n");
        return bottom();
    }

    /// The form for one aspect of all members: `val0`, `val1`, …
    String editAll(Upstream upstream, String aspect) {
        String label = ASPECTS.get(aspect);
        if (label == null || JkModel.isWorker(upstream)) {
            return failed("Could not find given aspect");
        }
        out.append(head(""));
        String name = upstream.config().name();
        out.append("<h1>Edit ").append(label).append(" of ");
        out.append(StatusPage.escaped(name)).append("</h1>\n");
        out.append("<form method=\"post\" action=\"").append(path).append("\">\n");
        hidden("cmd", "update");
        hidden("w", name);
        hidden("att", aspect);
        out.append(StatusLooks.TABLE).append('\n');
        int index = 0;
        for (Peer peer : upstream.peers()) {
            PeerForm form = new PeerForm(peer, model.member(peer));
            String member = peer.config().name();
            String field = "val" + index++;
            if (aspect.equals("vwa")) {
                select(member, field, PeerForm.ACTIVATIONS, form.activation());
            } else {
                input(member, field, form.value(aspect));
            }
        }
        out.append(StatusLooks.TABLE_END);
        out.append("\n<p><input type=\"submit\" value=\"Update\"></p>\n</form>\n");
        return bottom();
    }

    private void balancer(Upstream upstream) {
        UpstreamConfig config = upstream.config();
        PeerConfig.Failures failures = upstream.pattern().failures();
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
                BalanceMethod.words().stream()
                        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                        .toList(),
                BalanceMethod.words().indexOf(config.method().word()));
        select("Locking", "vll", List.of("Optimistic"), 0);
    }

    private void peer(Peer peer) {
        PeerForm form = new PeerForm(peer, model.member(peer));
        select("Activation", "vwa", PeerForm.ACTIVATIONS, form.activation());
        input("Hostname", "vahst", peer.config().address().host());
        input("Port", "vaprt", peer.config().address().port());
        ASPECTS.forEach((name, label) -> {
            if (!name.equals("vwa")) {
                input(label, name, form.value(name));
            }
        });
    }

    private void hidden(String name, String value) {
        out.append("<input type=\"hidden\" name=\"").append(name).append("\" value=\"");
        out.append(StatusPage.escaped(value)).append("\">\n");
    }

    private void input(String label, String name, long value) {
        input(label, name, Long.toString(value));
    }

    private void input(String label, String name, String value) {
        label(label, name);
        out.append("<input id=\"").append(name).append("\" name=\"").append(name);
        out.append("\" type=\"text\" value=\"").append(StatusPage.escaped(value));
        out.append("\"></td></tr>\n");
    }

    private void label(String label, String name) {
        out.append("<tr><td><label for=\"").append(name).append("\">");
        out.append(StatusPage.escaped(label)).append(":</label></td><td>");
    }

    private void select(String label, String name, List<String> words, int chosen) {
        label(label, name);
        out.append("<select id=\"").append(name).append("\" name=\"").append(name).append("\">");
        for (int i = 0; i < words.size(); i++) {
            out.append("<option value=\"").append(i).append(i == chosen ? "\" selected>" : "\">");
            out.append(words.get(i)).append("</option>");
        }
        out.append("</select></td></tr>\n");
    }
}
