package io.margay.gateway.status;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.balance.Upstream;
import io.margay.protocol.http.Authority;
import io.margay.server.exchange.Exchange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// mod_jk's status worker: `cmd=` list, show, dump, version, edit, update, reset, recover, in
/// `mime=` html, xml, txt, prop. Immutable.
///
/// An upstream with one peer of the same name is what mod_jk calls an AJP worker, any other a
/// balancer.
public final class JkStatus extends StatusPage {
    private static final String NOT_ALLOWED = "This command is not allowed in read only mode.";
    private static final String UNKNOWN_ORIGIN =
            "The browser does not tell which page this request comes from: send the token as"
                    + " Authorization: Bearer, or use the links and forms of this page.";

    private final StatusSource source;
    private final StatusAccess access;

    public JkStatus(StatusSource source, StatusAccess access) {
        this.source = source;
        this.access = access;
    }

    @Override
    Page page(Exchange exchange, Map<String, String> parameters) {
        String mime = parameters.getOrDefault("mime", "html");
        String command = parameters.getOrDefault("cmd", "list");
        JkModel model = model(exchange);
        boolean writable = access.isKnown(exchange) && !isReadOnly(parameters);
        if (writable && isChange(command) && !access.mayChange(exchange)) {
            return new Page(403, "text/plain", UNKNOWN_ORIGIN + "\n");
        }
        if (writable && isChange(command)) {
            tell(exchange, parameters);
        }
        String by = by(exchange);
        return switch (mime) {
            case "html" -> html(exchange, model, command, parameters, writable);
            case "xml" ->
                    new Page(
                            200,
                            "text/xml",
                            data(new JkXml(), model, command, parameters, writable, by));
            case "txt" ->
                    new Page(
                            200,
                            "text/plain",
                            data(new JkText(), model, command, parameters, writable, by));
            case "prop" ->
                    new Page(
                            200,
                            "text/plain",
                            data(new JkProperties(), model, command, parameters, writable, by));
            default -> Page.html(JkHtml.failed(model, "Invalid mime type."));
        };
    }

    private static boolean isChange(String command) {
        return List.of("update", "reset", "recover").contains(command);
    }

    private static boolean isReadOnly(Map<String, String> parameters) {
        return JkOption.READ_ONLY.isIn(JkOption.bits(parameters));
    }

    private JkModel model(Exchange exchange) {
        String authority = exchange.request().target().authority();
        String host = Authority.host(authority);
        int port = authority == null ? -1 : Authority.port(authority);
        boolean secure = exchange.scheme().equals("https");
        return new JkModel(
                source, host == null ? "localhost" : host, port >= 0 ? port : secure ? 443 : 80);
    }

    private Page html(
            Exchange exchange,
            JkModel model,
            String command,
            Map<String, String> parameters,
            boolean writable) {
        String path = exchange.request().target().rawPath();
        JkHtml page = new JkHtml(model, path, parameters, writable, access.token() != null);
        return switch (command) {
            case "list", "show" -> {
                String error = wanted(command, parameters);
                yield Page.html(error == null ? page.show(shown(parameters)) : page.failed(error));
            }
            case "version" -> Page.html(page.version());
            case "dump" -> Page.html(page.dump());
            case "edit" -> {
                if (!writable) {
                    yield refused(page);
                }
                Upstream upstream = upstream(parameters);
                yield Page.html(
                        upstream == null
                                ? page.failed("Could not find given worker")
                                : has(parameters, "att")
                                        ? page.editAll(upstream, parameters.getOrDefault("att", ""))
                                        : page.edit(
                                                upstream, Optional.ofNullable(peer(parameters))));
            }
            case "update", "reset", "recover" -> {
                String error = change(command, parameters, writable, by(exchange));
                yield NOT_ALLOWED.equals(error)
                        ? refused(page)
                        : Page.html(error == null ? page.done() : page.failed(error));
            }
            // Leads a browser to ask for the token; the name is ours.
            case "login" -> writable ? Page.html(page.show(shown(parameters))) : refused(page);
            default -> Page.html(page.failed("Invalid command."));
        };
    }

    private Page refused(JkHtml page) {
        return new Page(
                access.token() == null ? 403 : 401,
                "text/html;charset=utf-8",
                page.failed(NOT_ALLOWED));
    }

    private String data(
            JkWriter writer,
            JkModel model,
            String command,
            Map<String, String> parameters,
            boolean writable,
            String by) {
        String error =
                switch (command) {
                    case "list", "show" -> wanted(command, parameters);
                    case "version", "dump" -> null;
                    case "update", "reset", "recover" -> change(command, parameters, writable, by);
                    case "edit" -> "Command \"edit\" is only available for mime=html";
                    default -> "Invalid command.";
                };
        writer.begin();
        if (error == null && List.of("list", "show", "version", "dump").contains(command)) {
            writer.head(model);
            switch (command) {
                case "dump" -> writer.configuration(model.dump());
                case "version" -> {}
                default -> show(writer, model, parameters);
            }
        }
        writer.result(error == null ? "OK" : "ERROR", error == null ? "Action finished" : error);
        return writer.end();
    }

    private void show(JkWriter writer, JkModel model, Map<String, String> parameters) {
        Upstream one = upstream(parameters);
        int options = JkOption.bits(parameters);
        if (one != null) {
            one(writer, model, one, Optional.ofNullable(peer(parameters)), options);
            return;
        }
        List<Upstream> balancers = model.balancers();
        List<Upstream> workers = model.workers();
        if (!balancers.isEmpty() && !JkOption.NO_BALANCERS.isIn(options)) {
            writer.balancers(balancers.size());
            balancers.forEach(each -> one(writer, model, each, Optional.empty(), options));
            writer.balancersEnd();
        }
        if (!workers.isEmpty() && !JkOption.NO_WORKERS.isIn(options)) {
            writer.workers(workers.size());
            workers.forEach(each -> one(writer, model, each, Optional.empty(), options));
            writer.workersEnd();
        }
    }

    private static void one(
            JkWriter writer, JkModel model, Upstream upstream, Optional<Peer> only, int options) {
        String name = upstream.config().name();
        List<Map<String, String>> maps =
                JkOption.NO_MAPS.isIn(options) ? List.of() : model.maps(upstream);
        if (JkModel.isWorker(upstream)) {
            writer.worker(name, model.worker(upstream));
            maps.forEach(map -> writer.map(name, map));
            return;
        }
        writer.balancer(name, model.balancer(upstream));
        for (Peer peer : JkOption.NO_MEMBERS.isIn(options) ? List.<Peer>of() : upstream.peers()) {
            if (only.isEmpty() || only.get().equals(peer)) {
                writer.member(name, peer.config().name(), model.member(peer));
            }
        }
        maps.forEach(map -> writer.map(name, map));
        writer.balancerEnd();
    }

    // Which worker is meant

    private static boolean has(Map<String, String> parameters, String name) {
        return !parameters.getOrDefault(name, "").isEmpty();
    }

    private @Nullable Upstream upstream(Map<String, String> parameters) {
        String name = parameters.getOrDefault("w", "");
        return source.upstreams().stream()
                .filter(upstream -> upstream.config().name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private @Nullable Peer peer(Map<String, String> parameters) {
        Upstream upstream = upstream(parameters);
        String name = parameters.getOrDefault("sw", "");
        return upstream == null
                ? null
                : upstream.peers().stream()
                        .filter(peer -> peer.config().name().equals(name))
                        .findFirst()
                        .orElse(null);
    }

    private List<Upstream> shown(Map<String, String> parameters) {
        Upstream one = upstream(parameters);
        return one == null ? List.copyOf(source.upstreams()) : List.of(one);
    }

    private @Nullable String wanted(String command, Map<String, String> parameters) {
        if (command.equals("list")) {
            return null;
        }
        if (has(parameters, "w") && upstream(parameters) == null) {
            return "Could not find given worker";
        }
        return has(parameters, "sw") && peer(parameters) == null
                ? "Could not find given sub worker"
                : null;
    }

    /// @return null when it is done, else why not
    private @Nullable String change(
            String command, Map<String, String> parameters, boolean writable, String by) {
        if (!writable) {
            return NOT_ALLOWED;
        }
        Upstream upstream = upstream(parameters);
        if (upstream == null) {
            return "Could not find given worker";
        }
        String error =
                switch (command) {
                    case "update" -> update(upstream, parameters);
                    case "reset" -> reset(upstream, parameters);
                    default -> recover(parameters);
                };
        if (error == null && command.equals("update")) {
            source.changed().accept(by);
        }
        return error;
    }

    private @Nullable String update(Upstream upstream, Map<String, String> parameters) {
        JkChanges changes = new JkChanges(upstream, parameters);
        String name = parameters.getOrDefault("sw", "");
        if (JkModel.isWorker(upstream)) {
            return changes.ofPeers(upstream.peers());
        }
        if (name.isEmpty()) {
            return parameters.containsKey("att") ? changes.ofAll() : changes.ofUpstream();
        }
        List<Peer> meant =
                upstream.peers().stream()
                        .filter(peer -> JkChanges.matches(name, peer.config().name()))
                        .toList();
        return meant.isEmpty() ? "Update failed" : changes.ofPeers(meant);
    }

    private @Nullable String reset(Upstream upstream, Map<String, String> parameters) {
        if (!has(parameters, "sw")) {
            upstream.reset();
            return null;
        }
        Peer peer = peer(parameters);
        if (peer == null) {
            return "Reset failed";
        }
        peer.reset();
        return null;
    }

    private @Nullable String recover(Map<String, String> parameters) {
        Peer peer = peer(parameters);
        if (peer == null || peer.state() != PeerState.ERROR) {
            return "Marking worker for recovery failed";
        }
        peer.recover();
        return null;
    }
}
