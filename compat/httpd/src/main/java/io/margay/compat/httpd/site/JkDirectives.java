package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.jk.MountRule;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.Spelling;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Reads the directives of mod_jk. Confined to one reading.
final class JkDirectives {
    private static final Set<String> OPTIONS_KNOWN =
            Set.of(
                    "forwarduriproxy",
                    "forwarduricompatunparsed",
                    "forwarduricompat",
                    "forwarduriescaped",
                    "rejectunsafeuri",
                    "forwarddirectories",
                    "forwardlocaladdress",
                    "forwardphysicaladdress",
                    "flushpackets",
                    "flushheader",
                    "disablereuse",
                    "forwardkeysize",
                    "forwardsslcertchain",
                    "collapseslashesall",
                    "collapseslashesnone",
                    "collapseslashesunmount");

    private final HttpdConfig config;
    private final ReadingContext context;

    JkDirectives(HttpdConfig config) {
        this.config = config;
        context = config.context;
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case JK_WORKERS_FILE -> config.workersFiles.add(node);
            case JK_WORKER_PROPERTY -> config.properties.line(node.text(), node.place());
            case JK_MOUNT_FILE -> server.mountFiles.add(node);
            case JK_MOUNT_FILE_RELOAD -> reload(node);
            case JK_MOUNT, JK_UN_MOUNT ->
                    mount(node, server, section, directive == HttpdDirective.JK_UN_MOUNT);
            case JK_AUTO_ALIAS -> {
                server.autoAlias = node.argument(0);
                context.honoured(node);
            }
            case JK_MOUNT_COPY -> {
                server.mountCopy = node.isOn();
                server.mountCopyAll = node.argument(0).equalsIgnoreCase("all");
                context.honoured(node);
            }
            case JK_LOG_FILE -> {
                server.jkLog = context.log(node, node.argument(0));
                context.noted(
                        node,
                        "requests are logged there if JkRequestLogFormat is set; messages go to"
                                + " stderr");
            }
            case JK_LOG_LEVEL ->
                    context.noted(node, "--log LEVEL sets how much is logged, and where");
            case JK_LOG_STAMP_FORMAT -> {
                server.jkStamp = node.argument(0);
                context.honoured(node, "before each line of JkRequestLogFormat");
            }
            case JK_REQUEST_LOG_FORMAT -> {
                server.jkLogFormat = node.argument(0);
                context.honoured(node);
            }
            case JK_OPTIONS -> options(node, server);
            case JK_ENV_VAR -> {
                server.jkVariables.put(node.argument(0), node.argument(1));
                context.honoured(node, "sent with the value from SetEnv, or its default");
            }
            case JK_STRIP_SESSION ->
                    context.honoured(node, "a session in the path never hides a file");
            case JK_EXTRACT_SSL -> {
                if (node.isOn()) {
                    context.honoured(node);
                } else {
                    context.changed(node, "the TLS parameters are always sent");
                }
            }
            default -> throw new IllegalStateException(directive.word());
        }
    }

    private void reload(HttpdNode node) {
        try {
            int seconds = Integer.parseInt(node.argument(0));
            if (seconds < 0) {
                throw new NumberFormatException();
            }
            config.mountReload = Duration.ofSeconds(seconds);
            context.honoured(node);
        } catch (NumberFormatException e) {
            context.wrong(node, "\"" + node.argument(0) + "\" is not a number of seconds");
        }
    }

    /// `JkMount [path] worker`; within a section the path is the section's.
    private void mount(
            HttpdNode node, HttpdServer server, HttpdSection section, boolean exclusion) {
        boolean hasPath = node.size() > 1;
        if (hasPath == section.isLocation()
                || !(section.isLocation() || section.isNone())
                || node.size() == 0
                || node.size() > 2) {
            context.wrong(
                    node, "write " + node.name() + " /path worker, or, in a Location, the worker");
            return;
        }
        if (section.match() instanceof PathMatch.Regex) {
            context.changed(
                    node, "a LocationMatch is not mounted: mod_jk has no regular" + " expressions");
            return;
        }
        String path = hasPath ? node.argument(0) : section.argument();
        server.mounts.addAll(
                MountRule.parse(
                        (exclusion ? "!" : "") + path,
                        node.argument(hasPath ? 1 : 0),
                        MountRule.Source.DIRECTIVE,
                        node.place(),
                        context.account()));
    }

    private void options(HttpdNode node, HttpdServer server) {
        for (String word : node.arguments()) {
            boolean minus = word.startsWith("-");
            String name = word.startsWith("+") || minus ? word.substring(1) : word;
            String key = name.toLowerCase(Locale.ROOT);
            if (!OPTIONS_KNOWN.contains(key)) {
                context.wrong(
                        node,
                        "\""
                                + word
                                + "\" is not an option"
                                + Spelling.hint(
                                        name,
                                        List.of(
                                                "ForwardURIProxy",
                                                "ForwardURICompatUnparsed",
                                                "ForwardURICompat",
                                                "ForwardURIEscaped",
                                                "RejectUnsafeURI",
                                                "ForwardDirectories",
                                                "DisableReuse",
                                                "ForwardKeySize",
                                                "FlushPackets")));
                continue;
            }
            server.options.add((minus ? "-" : "+") + key);
            option(node, name, key, minus);
        }
    }

    private void option(HttpdNode node, String name, String key, boolean minus) {
        String title = node.name() + " " + (minus ? "-" : "+") + name;
        switch (key) {
            case "forwarduricompat", "forwarduriescaped" ->
                    context.account()
                            .noted(
                                    node.place(),
                                    title,
                                    "the path is sent decoded and normalised, and encoded again"
                                            + " where it would be ambiguous");
            case "forwardlocaladdress", "forwardphysicaladdress" -> jkAddress(node, title, minus);
            case "forwarddirectories" ->
                    context.account()
                            .noted(
                                    node.place(),
                                    title,
                                    "everything that is mounted is forwarded,"
                                            + " folders included");
            case "flushpackets", "flushheader" ->
                    context.account()
                            .noted(node.place(), title, "what the peer sends is forwarded at once");
            case "forwardkeysize" -> {
                if (minus) {
                    context.account().changed(node.place(), title, "the key size is always sent");
                } else {
                    context.account().honoured(node.place(), title);
                }
            }
            case "forwardsslcertchain" -> {
                if (minus) {
                    context.account().honoured(node.place(), title);
                } else {
                    context.account()
                            .changed(
                                    node.place(),
                                    title,
                                    "only the client's own certificate is sent");
                }
            }
            case "rejectunsafeuri" ->
                    context.account()
                            .noted(
                                    node.place(),
                                    title,
                                    "an ambiguous path is always refused with 400");
            case "collapseslashesall", "collapseslashesnone", "collapseslashesunmount" ->
                    context.account().noted(node.place(), title, "slashes are always merged");
            default -> context.account().honoured(node.place(), title);
        }
    }

    private void jkAddress(HttpdNode node, String title, boolean minus) {
        if (minus) {
            context.account().honoured(node.place(), title);
        } else {
            context.account().changed(node.place(), title, "the client's address is always sent");
        }
    }
}
