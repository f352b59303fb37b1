package io.margay.compat.httpd;

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

    private final HttpdReader reader;

    JkDirectives(HttpdReader reader) {
        this.reader = reader;
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case JK_WORKERS_FILE -> reader.workersFiles.add(node);
            case JK_WORKER_PROPERTY -> reader.properties.line(node.text(), node.place());
            case JK_MOUNT_FILE -> server.mountFiles.add(node);
            case JK_MOUNT_FILE_RELOAD -> reload(node);
            case JK_MOUNT, JK_UN_MOUNT ->
                    mount(node, server, section, directive == HttpdDirective.JK_UN_MOUNT);
            case JK_AUTO_ALIAS -> {
                server.autoAlias = node.argument(0);
                reader.honoured(node);
            }
            case JK_MOUNT_COPY -> {
                server.mountCopy = node.isOn();
                server.mountCopyAll = node.argument(0).equalsIgnoreCase("all");
                reader.honoured(node);
            }
            case JK_LOG_FILE -> {
                server.jkLog = reader.log(node, node.argument(0));
                reader.noted(
                        node,
                        "requests are logged there if JkRequestLogFormat says how; messages go to"
                                + " stderr");
            }
            case JK_LOG_LEVEL ->
                    reader.noted(node, "--log LEVEL says how much is logged, and where it goes");
            case JK_LOG_STAMP_FORMAT -> {
                server.jkStamp = node.argument(0);
                reader.honoured(node, "before each line of JkRequestLogFormat");
            }
            case JK_REQUEST_LOG_FORMAT -> {
                server.jkLogFormat = node.argument(0);
                reader.honoured(node);
            }
            case JK_OPTIONS -> options(node, server);
            case JK_ENV_VAR -> {
                server.jkVariables.put(node.argument(0), node.argument(1));
                reader.honoured(node, "sent with the value that SetEnv gives it, or its default");
            }
            case JK_STRIP_SESSION ->
                    reader.honoured(node, "a session in the path never hides a file");
            case JK_EXTRACT_SSL -> {
                if (node.isOn()) {
                    reader.honoured(node);
                } else {
                    reader.changed(node, "what TLS agreed on is always sent");
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
            reader.mountReload = Duration.ofSeconds(seconds);
            reader.honoured(node);
        } catch (NumberFormatException e) {
            reader.wrong(node, "\"" + node.argument(0) + "\" is no number of seconds");
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
            reader.wrong(
                    node, "write " + node.name() + " /path worker, or, in a Location, the worker");
            return;
        }
        if (section.match() instanceof PathMatch.Regex) {
            reader.changed(node, "a LocationMatch is not mounted: mod_jk knows no expressions");
            return;
        }
        String path = hasPath ? node.argument(0) : section.argument();
        server.mounts.addAll(
                MountRule.parse(
                        (exclusion ? "!" : "") + path,
                        node.argument(hasPath ? 1 : 0),
                        MountRule.Source.DIRECTIVE,
                        node.place(),
                        reader.account));
    }

    private void options(HttpdNode node, HttpdServer server) {
        for (String word : node.arguments()) {
            boolean minus = word.startsWith("-");
            String name = word.startsWith("+") || minus ? word.substring(1) : word;
            String key = name.toLowerCase(Locale.ROOT);
            if (!OPTIONS_KNOWN.contains(key)) {
                reader.wrong(
                        node,
                        "\""
                                + word
                                + "\" is no option"
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
                    reader.account.noted(
                            node.place(),
                            title,
                            "the path is sent decoded and normalised, and encoded again where it"
                                    + " could be read otherwise");
            case "forwardlocaladdress", "forwardphysicaladdress" -> jkAddress(node, title, minus);
            case "forwarddirectories" ->
                    reader.account.noted(
                            node.place(), title, "what is mounted is forwarded, folders too");
            case "flushpackets", "flushheader" ->
                    reader.account.noted(
                            node.place(), title, "what the peer sends is passed on at once");
            case "forwardkeysize" -> {
                if (minus) {
                    reader.account.changed(node.place(), title, "the key size is always sent");
                } else {
                    reader.account.honoured(node.place(), title);
                }
            }
            case "forwardsslcertchain" -> {
                if (minus) {
                    reader.account.honoured(node.place(), title);
                } else {
                    reader.account.changed(
                            node.place(), title, "the client's own certificate alone is sent");
                }
            }
            case "rejectunsafeuri" ->
                    reader.account.noted(
                            node.place(),
                            title,
                            "a path that can be read in two ways is always refused with 400");
            case "collapseslashesall", "collapseslashesnone", "collapseslashesunmount" ->
                    reader.account.noted(node.place(), title, "slashes are always merged");
            default -> reader.account.honoured(node.place(), title);
        }
    }

    private void jkAddress(HttpdNode node, String title, boolean minus) {
        if (minus) {
            reader.account.honoured(node.place(), title);
        } else {
            reader.account.changed(node.place(), title, "the client's address is always sent");
        }
    }
}
