package io.margay.app.admin;

import io.margay.app.admin.AdminException.Kind;
import io.margay.servlet.deploy.WebAppsFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The text interface of Tomcat's manager (`/manager/text/…`), as scripts and build tools use it:
/// every answer has status 200, and its first line begins with `OK - ` or `FAIL - `, but for
/// `findleaks` without `statusLine=true`. Stateless but for the server.
record ManagerText(ManagedServer server) {
    private static final System.Logger LOG = System.getLogger(ManagerText.class.getName());

    private static final long STEPS_MAX = 60;
    private static final Set<String> READING =
            Set.of(
                    "/list",
                    "/sessions",
                    "/serverinfo",
                    "/findleaks",
                    "/resources",
                    "/vminfo",
                    "/threaddump");

    /// Answers a command.
    ///
    /// @param request whose path is the command: `/list`
    /// @param by who asks
    void handle(AdminRequest request, Operator by) throws IOException {
        String answer;
        try {
            answer = run(request, by);
        } catch (AdminException e) {
            answer = "FAIL - " + e.getMessage() + "\n";
        }
        request.plain(200, answer);
    }

    /// Whether a command changes nothing.
    static boolean isReading(String command) {
        return READING.contains(command);
    }

    private String run(AdminRequest request, Operator by) throws IOException, AdminException {
        return switch (request.path()) {
            case "/list" -> list(request);
            case "/deploy" -> deploy(request, by);
            case "/undeploy" -> {
                AppRef app = request.app();
                server.undeploy(app, by);
                yield ok("Undeployed application at context path [" + name(app) + "]");
            }
            case "/reload" -> {
                AppRef app = request.app();
                server.reload(app, by);
                yield ok("Reloaded application at context path [" + name(app) + "]");
            }
            case "/start" -> {
                AppRef app = request.app();
                server.start(app, by);
                yield ok("Started application at context path [" + name(app) + "]");
            }
            case "/stop" -> {
                AppRef app = request.app();
                server.stop(app, by);
                yield ok("Stopped application at context path [" + name(app) + "]");
            }
            case "/sessions" -> sessions(request.app());
            case "/expire" -> expire(request);
            case "/serverinfo" -> serverInfo();
            case "/findleaks" -> findLeaks(request.flag("statusLine"));
            case "/resources" -> resources(request.parameter("type"));
            case "/vminfo" -> ok("VM info") + VmReport.info(server.uptime());
            case "/threaddump" -> ok("JVM thread dump") + VmReport.threads();
            case "/save" ->
                    throw notHere(
                            "the configuration is the file that the server was"
                                    + " started with, and what is deployed here is a file already");
            case "/sslReload" ->
                    throw notHere("changed certificate files are read without a command");
            case "/sslConnectorCiphers", "/sslConnectorCerts", "/sslConnectorTrustedCerts" ->
                    throw notHere("ask the listener itself: openssl s_client, or testssl.sh");
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

    private static AdminException notHere(String instead) {
        return new AdminException(Kind.INVALID, "This server has no such command: " + instead);
    }

    private String resources(@Nullable String type) {
        StringBuilder text = new StringBuilder();
        text.append(
                ok(
                        type == null
                                ? "Listed global resources of all types"
                                : "Listed global resources of type ["
                                        + AdminRequest.printable(type)
                                        + "]"));
        server.resources()
                .forEach((name, itsType) -> {
                    if (type == null || type.equals(itsType)) {
                        text.append(name).append(':').append(itsType).append('\n');
                    }
                });
        return text.toString();
    }

    private String deploy(AdminRequest request, Operator by) throws IOException, AdminException {
        if (request.parameter("config") != null) {
            throw new AdminException(
                    Kind.INVALID,
                    "The parameter [config] is not supported here: put the file into the WAR as"
                            + " META-INF/context.xml");
        }
        String war = request.parameter("war");
        AppRef app =
                war != null && request.parameter("path") == null
                        ? byFile(war, request)
                        : request.app();
        Path received =
                server.receivingFolder(app.host()).resolve(".received-" + UUID.randomUUID());
        String tag = request.parameter("tag");
        boolean update = request.flag("update");
        if (war != null) {
            copy(war, received);
        } else if (request.method().equals("PUT")) {
            request.receive(received);
        } else if (tag != null) {
            copy(server.tagged(app, tag).toString(), received);
            update = true; // Who names a tag goes back to it, as with Tomcat.
            tag = null;
        } else {
            throw new AdminException(
                    Kind.INVALID,
                    "There is neither the content of a PUT nor a parameter [war] or" + " [tag]");
        }
        if (tag != null) {
            keep(received, server.tagged(app, tag));
        }
        server.deploy(app, received, update, by);
        return ok("Deployed application at context path [" + name(app) + "]");
    }

    /// Keeps what was received under a tag.
    private static void keep(Path received, Path tagged) throws IOException {
        Path fresh = tagged.resolveSibling(received.getFileName());
        Files.copy(received, fresh);
        Files.move(fresh, tagged, StandardCopyOption.REPLACE_EXISTING);
    }

    /// An application that its WAR names.
    private static AppRef byFile(String war, AdminRequest request) throws AdminException {
        WebAppsFolder.Application named = WebAppsFolder.named(path(war));
        return new AppRef(
                request.parameters().getOrDefault("host", ""),
                named.contextPath(),
                named.version());
    }

    /// The path of a WAR that is given as one, or as a `file:` or `jar:file:` URL.
    private static Path path(String war) throws AdminException {
        String text = war.startsWith("jar:") ? war.substring(4).replaceFirst("!/$", "") : war;
        try {
            Path file = Path.of(text.startsWith("file:") ? text.substring(5) : text);
            if (file.getFileName() != null) {
                return file;
            }
        } catch (InvalidPathException e) {
            LOG.log(System.Logger.Level.DEBUG, "no path", e);
        }
        throw new AdminException(
                Kind.INVALID, "[" + AdminRequest.printable(war) + "] is not a path");
    }

    /// Takes a WAR that is on this machine already.
    private static void copy(String war, Path received) throws IOException, AdminException {
        Path file = path(war);
        if (!file.isAbsolute() || !Files.isRegularFile(file)) {
            throw new AdminException(
                    Kind.INVALID,
                    "["
                            + AdminRequest.printable(war)
                            + "] is not the absolute path of a WAR on the server");
        }
        Files.copy(file, received);
    }

    /// How long sessions have been idle, in at most 60 steps of whole minutes.
    private String sessions(AppRef app) throws AdminException {
        long timeout = server.sessionTimeout(app).toMinutes();
        long step = Math.max(1, (timeout + STEPS_MAX - 1) / STEPS_MAX);
        long last = timeout == 0 ? STEPS_MAX : (timeout + step - 1) / step;
        Map<Long, Integer> bySteps = new TreeMap<>();
        int unlimited = 0;
        for (ManagedServer.Session session : server.sessions(app)) {
            if (session.timeout().isZero()) {
                unlimited++;
            } else {
                bySteps.merge(Math.min(last, session.idle().toMinutes() / step), 1, Integer::sum);
            }
        }
        StringBuilder text = new StringBuilder();
        text.append(ok("Session information for application at context path [" + name(app) + "]"));
        text.append("Default maximum session inactive interval is [")
                .append(timeout)
                .append("] minutes\n");
        bySteps.forEach((number, count) -> {
            String from = String.valueOf(number * step);
            String to = String.valueOf((number + 1) * step);
            String idle = number == 0 ? "<" + to : number < last ? from + " - <" + to : ">=" + from;
            text.append("Inactive for [" + idle + "] minutes: [" + count + "] sessions\n");
        });
        if (unlimited > 0) {
            text.append("Unlimited time: [" + unlimited + "] sessions\n");
        }
        return text.toString();
    }

    private String expire(AdminRequest request) throws AdminException {
        AppRef app = request.app();
        String minutes = String.valueOf(request.parameter("idle"));
        if (!minutes.matches("[0-9]{1,9}")) {
            throw new AdminException(
                    Kind.INVALID, "Invalid parameters supplied for command [/expire]");
        }
        int ended = server.expire(app, Duration.ofMinutes(Long.parseLong(minutes)));
        return sessions(app)
                + "Inactive for [>"
                + minutes
                + "] minutes: ["
                + ended
                + "] sessions were expired\n";
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

    private String findLeaks(boolean statusLine) {
        StringBuilder text = new StringBuilder();
        List<ManagedServer.Leak> leaks = server.findLeaks();
        if (statusLine) {
            text.append(
                    ok(
                            leaks.isEmpty()
                                    ? "No memory leaks found"
                                    : "Found potential memory leaks in the following"
                                            + " applications:"));
        }
        leaks.forEach(leak -> text.append(name(leak.app())).append('\n'));
        return text.toString();
    }
}
