package io.margay.app.admin;

import io.margay.app.admin.AdminException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/// The text interface of Tomcat's manager (`/manager/text/…`), as scripts and build tools use it:
/// every answer has status 200, and its first line begins with `OK - ` or `FAIL - `. Stateless but
/// for the server.
final class ManagerText {
    private final ManagedServer server;

    ManagerText(ManagedServer server) {
        this.server = server;
    }

    /// Answers a command.
    ///
    /// @param request whose path is the command: `/list`
    void handle(AdminRequest request) throws IOException {
        String answer;
        try {
            answer = run(request);
        } catch (AdminException e) {
            answer = "FAIL - " + e.getMessage() + "\n";
        }
        request.plain(200, answer);
    }

    private String run(AdminRequest request) throws IOException, AdminException {
        return switch (request.path()) {
            case "/list" -> list(request);
            case "/deploy" -> deploy(request);
            case "/undeploy" -> {
                AppRef app = request.app();
                server.undeploy(app);
                yield ok("Undeployed application at context path [" + name(app) + "]");
            }
            case "/reload" -> {
                AppRef app = request.app();
                server.reload(app);
                yield ok("Reloaded application at context path [" + name(app) + "]");
            }
            case "/start" -> {
                AppRef app = request.app();
                server.start(app);
                yield ok("Started application at context path [" + name(app) + "]");
            }
            case "/stop" -> {
                AppRef app = request.app();
                server.stop(app);
                yield ok("Stopped application at context path [" + name(app) + "]");
            }
            case "/sessions", "/expire" -> sessions(request);
            case "/serverinfo" -> serverInfo();
            case "/findleaks" -> findLeaks();
            case "", "/" -> throw new AdminException(Kind.INVALID, "No command was specified");
            default ->
                    throw new AdminException(
                            Kind.INVALID,
                            "Unknown command [" + AdminRequest.printable(request.path()) + "]");
        };
    }

    private static String ok(String text) {
        return "OK - " + text + "\n";
    }

    /// Tomcat's name of a context: `/shop##2`.
    private static String name(AppRef app) {
        return app.version().isEmpty() ? app.shownPath() : app.path() + "##" + app.version();
    }

    private String list(AdminRequest request) {
        String host = request.parameters().getOrDefault("host", "");
        StringBuilder text = new StringBuilder();
        text.append(
                ok(
                        "Listed applications for virtual host ["
                                + (host.isEmpty() ? "localhost" : AdminRequest.printable(host))
                                + "]"));
        for (ManagedServer.App app : server.apps()) {
            if (!host.isEmpty() && !app.host().equals(host)) {
                continue;
            }
            String file = app.file().getFileName().toString();
            text.append(app.path().isEmpty() ? "/" : app.path())
                    .append(app.state() == ManagedServer.State.RUNNING ? ":running:" : ":stopped:")
                    .append(app.sessions())
                    .append(':')
                    .append(file.replaceFirst("(?i)\\.war$", ""))
                    .append('\n');
        }
        return text.toString();
    }

    private String deploy(AdminRequest request) throws IOException, AdminException {
        for (String unknown : List.of("config", "tag")) {
            if (request.parameter(unknown) != null) {
                throw new AdminException(
                        Kind.INVALID, "The parameter [" + unknown + "] is not supported here");
            }
        }
        AppRef app = request.app();
        Path received =
                server.receivingFolder(app.host()).resolve(".received-" + UUID.randomUUID());
        String war = request.parameter("war");
        if (war != null) {
            copy(war, received);
        } else if (request.method().equals("PUT")) {
            request.receive(received);
        } else {
            throw new AdminException(
                    Kind.INVALID, "Neither the content of a PUT nor the parameter [war] is there");
        }
        server.deploy(app, received, request.flag("update"));
        return ok("Deployed application at context path [" + name(app) + "]");
    }

    /// A WAR that is on this machine already, as a path or a `file:` URL.
    private static void copy(String war, Path received) throws IOException, AdminException {
        String text = war.startsWith("jar:") ? war.substring(4).replaceFirst("!/$", "") : war;
        Path file;
        try {
            file = Path.of(text.startsWith("file:") ? text.substring(5) : text);
        } catch (InvalidPathException e) {
            throw new AdminException(
                    Kind.INVALID, "[" + AdminRequest.printable(war) + "] is no path");
        }
        if (!file.isAbsolute() || !Files.isRegularFile(file)) {
            throw new AdminException(
                    Kind.INVALID,
                    "["
                            + AdminRequest.printable(war)
                            + "] is not the absolute path of a WAR on the server");
        }
        Files.copy(file, received);
    }

    private String sessions(AdminRequest request) throws AdminException {
        AppRef app = request.app();
        long timeout = server.sessionTimeout(app).toMinutes();
        Map<Long, Integer> byMinutes = new TreeMap<>();
        for (ManagedServer.Session session : server.sessions(app)) {
            byMinutes.merge(session.idle().toMinutes(), 1, Integer::sum);
        }
        StringBuilder text = new StringBuilder();
        text.append(ok("Session information for application at context path [" + name(app) + "]"));
        text.append("Default maximum session inactive interval is [")
                .append(timeout)
                .append("] minutes\n");
        byMinutes.forEach((minutes, count) ->
                text.append(minutes == 0 ? "<1" : minutes + " - <" + (minutes + 1))
                        .append(" minutes: [")
                        .append(count)
                        .append("] sessions\n"));
        return text.toString();
    }

    private String serverInfo() {
        return ok("Server info")
                + "Tomcat Version: [Margay/"
                + server.version()
                + "]\nOS Name: ["
                + System.getProperty("os.name")
                + "]\nOS Version: ["
                + System.getProperty("os.version")
                + "]\nOS Architecture: ["
                + System.getProperty("os.arch")
                + "]\nJVM Version: ["
                + Runtime.version()
                + "]\nJVM Vendor: ["
                + System.getProperty("java.vm.vendor")
                + "]\n";
    }

    private String findLeaks() {
        List<ManagedServer.Leak> leaks = server.findLeaks();
        if (leaks.isEmpty()) {
            return ok("No memory leaks found");
        }
        StringBuilder text =
                new StringBuilder(
                        ok("Found potential memory leaks in the following applications:"));
        for (ManagedServer.Leak leak : leaks) {
            text.append(name(leak.app())).append('\n');
        }
        return text.toString();
    }
}
