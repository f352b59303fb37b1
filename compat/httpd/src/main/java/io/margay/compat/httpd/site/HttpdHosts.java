package io.margay.compat.httpd.site;

import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.domain.HttpdDomains;
import io.margay.compat.httpd.expression.RegexText;
import io.margay.compat.httpd.jk.JkLogFormat;
import io.margay.compat.httpd.jk.MountRule;
import io.margay.compat.httpd.jk.Workers;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.tls.HttpdTls;
import io.margay.compat.httpd.tls.TlsHost;
import io.margay.compat.httpd.tls.TlsListeners;
import io.margay.gateway.access.FolderPages;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.plan.HostPlan;
import io.margay.gateway.plan.HostPlan.Entry;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.plan.HostPlan.LogPlan;
import io.margay.gateway.plan.HostPlanBuilder;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.HostChanges;
import io.margay.protocol.http.PathReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Makes hosts and listeners of servers. Confined to one reading.
final class HttpdHosts {
    /// `%v`, and what only looks like it.
    private static final Pattern SERVER_NAME = Pattern.compile("(%%|%[!0-9,]+v)|%[<>]?v");

    private final HttpdConfig config;
    private final ReadingContext context;
    private final HttpdServer main;

    HttpdHosts(HttpdConfig config) {
        this.config = config;
        context = config.context;
        main = config.main;
    }

    /// The hosts: of those at one place the first takes every name that no other has, as in httpd.
    List<HostPlan> hosts(Map<HttpdServer, List<MountRule>> mounts, Workers workers) {
        List<HostPlan> hosts = new ArrayList<>();
        Map<String, Set<String>> taken = new HashMap<>();
        boolean anyPlace = false;
        for (HttpdServer server : config.servers.stream().filter(one -> one != main).toList()) {
            HostRules made = new HostRules(config, server);
            List<GatewayRule> rules = made.rules(mounts.getOrDefault(server, List.of()), workers);
            List<FilesPlan> files = files(server);
            HostAccess access = made.access(files);
            HostChanges changes = new HostChangeBuilder(config, server, rules, files).build();
            for (String address : server.addresses) {
                boolean whole = address.equals("*");
                anyPlace |= whole;
                boolean first = !taken.containsKey(address);
                Set<String> names = taken.computeIfAbsent(address, _ -> new HashSet<>());
                List<String> own = TlsHost.take(names, server.namesAt(address, config.servers));
                if (!first && own.isEmpty()) {
                    context.account()
                            .changed(
                                    server.place,
                                    "VirtualHost",
                                    "is never reached at "
                                            + address
                                            + ": it has no name that no earlier host has; add"
                                            + " ServerName");
                    continue;
                }
                hosts.add(
                        HostPlanBuilder.builder()
                                .names(first ? List.of() : own)
                                .at(whole ? List.of() : List.of(place(address)))
                                .rules(rules)
                                .files(files)
                                .logs(logs(server, workers))
                                .changes(changes)
                                .access(access)
                                .entry(entry(server))
                                .build());
                if (first && isCovered(own, server, address)) {
                    hosts.add(hosts.getLast().named(own));
                }
            }
        }
        if (!anyPlace) {
            HostRules made = new HostRules(config, main);
            List<GatewayRule> rules = made.rules(mounts.getOrDefault(main, List.of()), workers);
            List<FilesPlan> files = files(main);
            HostChanges changes = new HostChangeBuilder(config, main, rules, files).build();
            hosts.add(
                    HostPlanBuilder.builder()
                            .names(List.of())
                            .at(List.of())
                            .rules(rules)
                            .files(files)
                            .logs(logs(main, workers))
                            .changes(changes)
                            .access(made.access(files))
                            .entry(entry(main))
                            .build());
        }
        config.servers.forEach(this::sayWhoIsFound);
        config.checkVariables();
        return hosts;
    }

    /// Whether a `*.NAME` of a later host may take names of the first one, which takes what is
    /// left.
    private boolean isCovered(List<String> own, HttpdServer first, String address) {
        return !own.isEmpty()
                && config.servers.stream()
                        .filter(one -> one != first && one.addresses.contains(address))
                        .anyMatch(
                                one -> one.names.stream().anyMatch(name -> name.startsWith("*.")));
    }

    /// Where sections about paths let users in, a rule before them finds none in httpd.
    private void sayWhoIsFound(HttpdServer server) {
        HttpdNode rule = server.userRule != null ? server.userRule : main.userRule;
        if (rule != null
                && Stream.of(main, server)
                        .flatMap(one -> one.paths.stream())
                        .anyMatch(HttpdAccess::asksUser)) {
            context.changed(
                    rule,
                    "in httpd LA-U finds no user where a Location alone lets users in: say it in"
                            + " Directory or Proxy");
        }
    }

    private Entry entry(HttpdServer server) {
        return new Entry(needsCertificate(server), paths(server), List.of());
    }

    private boolean needsCertificate(HttpdServer server) {
        HttpdTls tls = server == main ? main.tls : server.tls.within(main.tls);
        return tls.requiresCertificate();
    }

    /// Of the main server virtual hosts do not inherit it, as in httpd.
    private static PathReading paths(HttpdServer server) {
        return new PathReading(server.encodedSlash, false);
    }

    private static String place(String address) {
        return address.lastIndexOf(':') > address.lastIndexOf(']') ? address : address + ":*";
    }

    private List<FilesPlan> files(HttpdServer server) {
        List<FilesPlan> files = new ArrayList<>();
        Set<String> prefixes = new HashSet<>();
        List<FilesPlan> aliases = new ArrayList<>(server.aliases);
        if (server != main) {
            aliases.addAll(main.aliases);
        }
        for (FilesPlan alias : aliases) {
            if (prefixes.add(alias.prefix())) {
                files.add(alias);
            }
        }
        String auto = server.autoAlias != null ? server.autoAlias : main.autoAlias;
        Path webapps = auto == null ? null : context.path(auto);
        if (webapps != null && Files.isDirectory(webapps)) {
            try (Stream<Path> folders = Files.list(webapps)) {
                folders.filter(Files::isDirectory)
                        .sorted()
                        .filter(folder -> prefixes.add("/" + folder.getFileName()))
                        .forEach(folder ->
                                files.add(new FilesPlan("/" + folder.getFileName(), folder)));
            } catch (IOException e) {
                context.account()
                        .wrong(
                                server.place,
                                "JkAutoAlias",
                                auto + " cannot be read: " + e.getMessage());
            }
        }
        String root = server.documentRoot != null ? server.documentRoot : main.documentRoot;
        Path folder = root == null ? null : context.path(root);
        if (folder != null && prefixes.add("")) {
            if (!Files.isDirectory(folder)) {
                context.account()
                        .noted(
                                server.place,
                                "DocumentRoot",
                                folder
                                        + " is not a folder on this machine:"
                                        + " its requests get 404");
            } else {
                files.add(new FilesPlan("", folder));
            }
        }
        if (HttpdConfig.areOfRoutes(config.pages(server), files)) {
            String fallback = config.pages(server).fallback();
            FolderPages pages =
                    new FolderPages(
                            config.index(server),
                            fallback == null || fallback.isEmpty() ? null : fallback);
            files.replaceAll(plan -> plan.with(pages));
        }
        return files;
    }

    /// A format with the name of the server, which `%v` is whatever name the client has asked for.
    private static String named(String format, HttpdServer server) {
        if (server.names.isEmpty() || server.names.getFirst().indexOf('*') >= 0) {
            return format;
        }
        Matcher matcher = SERVER_NAME.matcher(format);
        return matcher.replaceAll(
                found -> found.group(1) == null ? server.names.getFirst() : found.group());
    }

    /// The logs; mod_jk's has the requests that go to a worker, as there.
    private List<LogPlan> logs(HttpdServer server, Workers workers) {
        List<LogPlan> logs = new ArrayList<>();
        for (LogPlan log : server.logs.isEmpty() ? main.logs : server.logs) {
            logs.add(
                    new LogPlan(
                            log.file(),
                            named(log.format(), server),
                            log.when(),
                            log.rotateBytes()));
        }
        Path file = server.jkLog != null ? server.jkLog : main.jkLog;
        String format = server.jkLogFormat != null ? server.jkLogFormat : main.jkLogFormat;
        String stamp = server.jkStamp != null ? server.jkStamp : main.jkStamp;
        if (format != null) {
            Path to = file != null ? file : context.path("logs/mod_jk.log");
            if (to != null) {
                String names =
                        workers.upstreams().keySet().stream()
                                .map(RegexText::quote)
                                .sorted()
                                .collect(Collectors.joining("|"));
                logs.add(
                        new LogPlan(
                                to,
                                JkLogFormat.translate(stamp, format),
                                List.of(Condition.of("%{ENV:UPSTREAM}", "^(?:" + names + ")$"))));
            }
        }
        return logs;
    }

    /// Gives servers that speak TLS the certificates of their managed domains.
    private void showDomains() {
        List<HttpdServer> secure =
                config.servers.stream()
                        .filter(one -> one == main || !one.names.isEmpty())
                        .filter(one -> one.tls.within(main.tls).isOn())
                        .toList();
        Map<String, HttpdDomains.Shown> shown =
                config.domains.shown(secure.stream().map(one -> List.copyOf(one.names)).toList());
        for (HttpdServer one : secure) {
            HttpdDomains.Shown own = one.names.isEmpty() ? null : shown.get(one.names.getFirst());
            if (own != null) {
                one.tls.show(own.certificates(), own.stapling());
            }
        }
    }

    /// The listeners; those of hosts with `SSLEngine on` speak TLS.
    List<ListenerPlan> listeners() {
        showDomains();
        List<TlsHost> virtual =
                config.servers.stream()
                        .filter(server -> server != main)
                        .map(HttpdServer::tlsHost)
                        .toList();
        TlsListeners tls = new TlsListeners(main.tlsHost(), virtual, context.account());
        if (config.listens.isEmpty()) {
            tls.withoutListen();
        }
        List<ListenerPlan> listeners = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (HttpdConfig.Listen listen : config.listens) {
            ListenerPlan plan = listen.plan();
            if (seen.add(plan.host() + ":" + plan.port())) {
                listeners.add(
                        new ListenerPlan(
                                plan.host(),
                                plan.port(),
                                tls.of(plan, listen.https(), listen.place()),
                                config.http2,
                                false,
                                config.headers.of(plan)));
            }
        }
        return listeners;
    }
}
