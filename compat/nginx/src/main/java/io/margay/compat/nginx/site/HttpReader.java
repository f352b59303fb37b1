package io.margay.compat.nginx.site;

import io.margay.compat.account.Account;
import io.margay.compat.account.AccountLine;
import io.margay.compat.nginx.plan.NginxPlan;
import io.margay.compat.nginx.site.Listens.Listen;
import io.margay.compat.nginx.syntax.NginxMeeting;
import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxParser;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.plan.HostPlanBuilder;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.RuleSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads an `nginx.conf` into a plan. Confined to one reading.
public final class HttpReader {
    /// What needs no translation where it is off.
    private static final Set<String> OFF =
            Set.of(
                    "auth_request",
                    "autoindex",
                    "charset",
                    "fastcgi_cache",
                    "mirror",
                    "proxy_cache",
                    "proxy_ssl_server_name",
                    "proxy_ssl_verify",
                    "proxy_store",
                    "real_ip_recursive",
                    "ssi",
                    "ssl_stapling",
                    "ssl_verify_client",
                    "underscores_in_headers");

    /// What is on here, the same.
    private static final Set<String> ON =
            Set.of(
                    "ignore_invalid_headers",
                    "merge_slashes",
                    "proxy_pass_request_body",
                    "proxy_pass_request_headers");

    private final Account account = new Account();
    private final Path file;
    private final Reading reading;

    /// @param file the main one
    public HttpReader(Path file) {
        this.file = file;
        Path parent = file.toAbsolutePath().getParent();
        reading = new Reading(account, parent == null ? Path.of("/") : parent);
    }

    /// Reads it.
    public NginxPlan read() {
        Path folder = file.toAbsolutePath().getParent();
        NginxParser parser = new NginxParser(account, folder == null ? Path.of("/") : folder);
        List<NginxNode> nodes = parser.parse(file);
        reading.findConstants(nodes);
        Scope main = new Scope(-1, null, null, nodes);
        Listens listens = new Listens(reading);
        Upstreams upstreams = new Upstreams(reading);
        List<HostPlan> hosts = new ArrayList<>();
        for (NginxNode one : main.own("http")) {
            Scope http = new Scope(-1, null, one, one.block());
            http.own("upstream").forEach(each -> upstreams.add(each, http));
            MapReader maps = new MapReader(reading);
            maps.readAll(http);
            ServerReader servers =
                    new ServerReader(reading, upstreams, maps.rules(), maps.sources());
            Map<NginxNode, ServerReader.Made> made = new LinkedHashMap<>();
            for (NginxNode server : http.own("server")) {
                listens.add(new Scope(-1, http, server, server.block()));
                made.put(server, servers.read(server, http));
            }
            hosts.addAll(hosts(listens, servers, made));
        }
        List<ListenerPlan> listeners = listens.listeners();
        if (hosts.isEmpty()) {
            account.wrong(
                    new io.margay.compat.account.Place(file.toString(), 0),
                    "http",
                    "has no server");
        }
        check(hosts);
        tell(nodes);
        boolean wrong =
                account.lines().stream()
                        .anyMatch(line -> line.verdict() == AccountLine.Verdict.WRONG);
        return new NginxPlan(
                wrong ? List.of() : listeners,
                hosts,
                upstreams.all(),
                account.lines(),
                new NginxMeeting(nodes));
    }

    /// The hosts: at each place the default server takes every name that no other has.
    private List<HostPlan> hosts(
            Listens listens, ServerReader servers, Map<NginxNode, ServerReader.Made> made) {
        List<HostPlan> hosts = new ArrayList<>();
        Map<Listens.Place, Set<String>> taken = new HashMap<>();
        listens.servers()
                .forEach((place, all) -> {
                    Set<String> names = taken.computeIfAbsent(place, _ -> new HashSet<>());
                    Listen first = all.getFirst();
                    boolean covered = isCovered(first, all);
                    ServerReader.Made ofAll = made(first, made);
                    if (ofAll != null) {
                        hosts.add(host(List.of(), place, ofAll));
                    }
                    for (Listen listen : listens.inOrder(place)) {
                        ServerReader.Made server = made(listen, made);
                        if (server == null) {
                            continue;
                        }
                        List<String> own =
                                servers.names(listen.server()).stream()
                                        .distinct()
                                        .filter(names::add)
                                        .toList();
                        boolean isFirst = listen.equals(first);
                        if (own.isEmpty() && !isFirst) {
                            reading.noted(
                                    listen.node(),
                                    "is never reached: it has no name that no server before has");
                        } else if (!own.isEmpty() && (!isFirst || covered)) {
                            hosts.add(host(own, place, server));
                        }
                    }
                });
        return hosts.stream().distinct().toList();
    }

    private static ServerReader.@Nullable Made made(
            Listen listen, Map<NginxNode, ServerReader.Made> made) {
        NginxNode node = listen.server().node();
        return node == null ? null : made.get(node);
    }

    private static HostPlan host(List<String> names, Listens.Place place, ServerReader.Made made) {
        String host = place.host().indexOf(':') >= 0 ? "[" + place.host() + "]" : place.host();
        String at = (place.isAny() ? "*" : host) + ":" + place.port();
        return HostPlanBuilder.builder()
                .names(names)
                .at(List.of(at))
                .rules(made.rules())
                .files(made.files())
                .logs(made.logs())
                .changes(made.changes())
                .access(made.access())
                .entry(made.entry())
                .build();
    }

    /// Whether names of the default server, which takes what is left, may be taken by another.
    private static boolean isCovered(Listens.Listen first, List<Listens.Listen> all) {
        return all.stream()
                .filter(other -> !other.server().equals(first.server()))
                .flatMap(other -> other.server().own("server_name").stream())
                .flatMap(node -> node.words().stream())
                .anyMatch(name ->
                        name.startsWith("*.")
                                || name.startsWith(".")
                                || name.endsWith(".*")
                                || name.startsWith("~"));
    }

    /// What cannot be compiled is not served.
    private void check(List<HostPlan> hosts) {
        for (HostPlan host : hosts) {
            try {
                Object _ = RuleSet.of(host.rules(), host.changes(), RuleLimits.defaults());
                Object _ = HostExchangeRules.check(host.changes(), RuleLimits.defaults());
            } catch (IllegalArgumentException e) {
                String text = String.valueOf(e.getMessage());
                account.wrong(
                        new io.margay.compat.account.Place(file.toString(), 0),
                        "server " + String.join(" ", host.names()),
                        text);
            }
        }
    }

    /// Says what has become of each directive of which nothing is said yet: what the table says,
    /// and where somebody must have asked for it and nobody has, that it has no effect.
    private void tell(List<NginxNode> nodes) {
        for (NginxNode node : nodes) {
            if (!node.isTold() && !node.directive().name().isEmpty()) {
                tell(node);
            }
            tell(node.block());
        }
    }

    private void tell(NginxNode node) {
        String only = node.words().size() == 1 ? node.word(0) : "";
        if ((only.equals("off") && OFF.contains(node.name()))
                || (only.equals("on") && ON.contains(node.name()))) {
            reading.noted(node, "needs no translation: it is so here anyway");
            return;
        }
        String text = node.directive().text();
        switch (node.directive().verdict()) {
            case HONOURED -> {
                if (node.isRead()) {
                    account.honoured(node.place(), node.name());
                } else if (node.directive().closes()) {
                    reading.wrong(node, "has no effect here");
                } else {
                    reading.noted(node, "nothing depends on it at this place");
                }
            }
            case NOTED -> reading.noted(node, text);
            case CHANGED -> reading.changed(node, text);
            case WRONG -> reading.wrong(node, text);
        }
    }
}
