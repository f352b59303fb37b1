package io.margay.app.command;

import io.margay.app.acme.AcmeOptions;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.ConfigException;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.hosts.KnownHosts;
import io.margay.app.logging.Logging;
import io.margay.app.startcache.StartCache;
import io.margay.app.yaml.Problem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// `margay run`: serves until a signal ends it. Run by the main thread; signals arrive on threads
/// of their own.
final class RunCommand {
    static final Command COMMAND =
            new Command(
                    "run",
                    "serves web applications and files",
                    "[FILE...]",
                    List.of(
                            Command.paragraph(
                                    """
                                    FILE is a WAR file, the folder of an unpacked application, a
                                    folder of such (webapps), or a single configuration
                                    (margay.yaml). Without FILE and --static, the example
                                    applications are served, on loopback addresses only.
                                    """),
                            Command.paragraph(
                                    """
                                    One application is served at / or at --context; several, and
                                    those of a folder, by name: shop.war at /shop, ROOT.war at /,
                                    a#b.war at /a/b, shop##2.war as version 2 of /shop. A folder
                                    with WEB-INF is an application. A folder without it is a folder
                                    of applications if it contains a WAR, a folder ROOT or a folder
                                    with WEB-INF; otherwise it is an application of plain files.
                                    """),
                            Command.paragraph(
                                    """
                                    SIGTERM or Ctrl-C stops accepting connections, finishes requests
                                    (--drain), keeps sessions and exits with 0; a second one exits
                                    at once. SIGHUP reloads margay.yaml: a file with errors changes
                                    nothing, and no request is lost.
                                    """)),
                    ServerOptions.after(
                            Option.many(
                                    "--http",
                                    "[ADDR:]PORT",
                                    "HTTP listener. Default: 127.0.0.1:8080. A port alone"
                                            + " listens at 127.0.0.1, *:PORT at every address of"
                                            + " the machine."),
                            Option.many(
                                    "--https",
                                    "[ADDR:]PORT",
                                    "HTTPS listener; needs --cert and --key, or --acme."),
                            Option.of(
                                    "--cert",
                                    "FILE",
                                    "PEM file with the certificate and its chain."),
                            Option.of("--key", "FILE", "PEM file with the private key."),
                            AcmeOptions.NAMES,
                            AcmeOptions.MAIL,
                            AcmeOptions.AUTHORITY,
                            Option.many(
                                    "--ajp",
                                    "[ADDR:]PORT",
                                    "AJP13 listener, for httpd with mod_jk or"
                                            + " mod_proxy_ajp; needs --ajp-secret. The start-up"
                                            + " lines show what to paste into httpd's files."),
                            Option.of(
                                    "--ajp-secret",
                                    "SECRET",
                                    "The secret that the front end sends with each request."),
                            Option.of(
                                    "--transport",
                                    "NAME",
                                    "The transport: blocking (virtual threads), nio (selectors) or"
                                            + " native (epoll). Default: the best that this"
                                            + " machine has; the"
                                            + " start-up line says which."),
                            Option.of(
                                    "--context",
                                    "/path",
                                    "Context path of the application. Default: /."),
                            Option.many(
                                    "--static",
                                    "/path=DIR",
                                    "Serves the files of DIR under /path."),
                            Option.flag(
                                    "--compress", "Compresses text for clients that accept it."),
                            Option.of(
                                    "--route",
                                    "NAME",
                                    "Session identifiers end with .NAME, so that a gateway keeps a"
                                            + " session with this server (Tomcat's jvmRoute)."),
                            Option.of(
                                    "--access-log",
                                    "FILE",
                                    "Writes an access log to FILE, a line per request."),
                            Option.of(
                                    "--access-log-format",
                                    "FORMAT",
                                    "Its format: common, combined (default), json, or a format"
                                            + " string of Apache httpd."),
                            Option.of(
                                    "--dispatch",
                                    "POLICY",
                                    "Where servlets run: inline (the connection's loop while they"
                                            + " are quick, else threads; default), pool (threads)"
                                            + " or virtual (a virtual thread per request)."),
                            Option.of(
                                    "--work",
                                    "DIR",
                                    "Folder for unpacked archives, compiled pages and kept"
                                            + " sessions. Default: work/PORT, of the first"
                                            + " listener.")),
                    List.of(
                            new Example(
                                    "margay run",
                                    "The example applications, at http://127.0.0.1:8080/."),
                            new Example("margay run shop.war", "One application, at /."),
                            new Example(
                                    "margay run shop.war --context /shop --http *:80",
                                    "The same at /shop, on port 80 of every address."),
                            new Example("margay run webapps/", "Every application of a folder."),
                            new Example(
                                    "margay run shop.war --https 8443 --cert my.pem --key my.key",
                                    "HTTPS."),
                            new Example(
                                    "margay run shop.war --acme shop.example",
                                    "HTTPS with a certificate of Let's Encrypt."),
                            new Example(
                                    "margay run shop.war --ajp 8009 --ajp-secret s3cret",
                                    "Behind httpd, at 127.0.0.1:8009."),
                            new Example(
                                    "margay run --static /=public --access-log access.log",
                                    "Files only, with an access log."),
                            new Example("margay run margay.yaml", "Everything a file describes.")));

    private final Arguments arguments;
    private final Map<String, String> environment;
    private final PrintStream stderr;
    private final boolean debug;

    /// A file that is written without a pause is taken as it is.
    private static final int READINGS_MAX = 3;

    /// Options that say something else than the file.
    private static final List<String> BESIDE_THE_FILE =
            List.of(
                    "--http",
                    "--https",
                    "--ajp",
                    "--transport",
                    "--admin",
                    "--route",
                    "--dispatch",
                    "--work");

    /// Of the file, from one reading to the next.
    private final KnownHosts known = new KnownHosts();

    /// The file as it was read last; empty = nobody could ask for it.
    private String text = "";

    RunCommand(
            Arguments arguments, Map<String, String> environment, PrintStream err, boolean debug) {
        this.arguments = arguments;
        this.environment = environment;
        stderr = err;
        this.debug = debug;
    }

    int run() throws UsageException {
        ServerOptions server = new ServerOptions(arguments, environment, debug);
        PrintStream err = server.log(stderr);
        String home = System.getProperty("margay.home");
        RunOptions options =
                new RunOptions(arguments, environment, home == null ? null : Path.of(home), known);
        List<Problem> missing = new ArrayList<>();
        MargayConfig config = read(server, options, missing);
        missing.forEach(problem -> Logging.failure(err, problem.toString()));
        Optional<Path> file = options.file();
        findByTomcatsNames(file.map(Path::toAbsolutePath).map(Path::getParent).orElse(Path.of("")));
        if (options.servesExamples()) {
            err.println(
                    "margay: no FILE is named: serving the example applications, to this machine"
                            + " alone");
        }
        return new Serving(err, file.map(path -> source(path, server)).orElse(null))
                .serve(config, () -> StartCache.makeLater(CacheTraining.class));
    }

    /// Sets the system properties by which applications made for Tomcat find what lies beside the
    /// server: logs, files of settings. Those that are set already stay.
    private static void findByTomcatsNames(Path base) {
        String folder = base.toAbsolutePath().normalize().toString();
        for (String name : List.of("catalina.base", "catalina.home")) {
            if (System.getProperty(name) == null) {
                System.setProperty(name, folder);
            }
        }
    }

    /// A configuration file that is read again.
    private Serving.Source source(Path path, ServerOptions server) {
        return new Serving.Source() {
            @Override
            public String name() {
                return path.toString();
            }

            @Override
            public MargayConfig read(List<String> problems) {
                List<Problem> missing = new ArrayList<>();
                MargayConfig next = MargayConfig.defaults();
                try {
                    next =
                            RunCommand.this.read(
                                    server,
                                    new RunOptions(arguments, environment, null, known),
                                    missing);
                } catch (ConfigException e) {
                    e.problems().forEach(problem -> problems.add(problem.toString()));
                } catch (UsageException e) {
                    throw new IllegalStateException(e);
                }
                missing.forEach(problem -> problems.add(problem.toString()));
                return next;
            }

            @Override
            public boolean isOneFile() {
                return true;
            }

            @Override
            public Supplier<String> text(MargayConfig read) {
                String last = text;
                return () -> last;
            }

            @Override
            public List<String> commandLine() {
                return BESIDE_THE_FILE.stream().filter(arguments::has).toList();
            }
        };
    }

    /// Reads the configuration, and the text of its file where there is a console for it; again
    /// where somebody has written the file meanwhile.
    private MargayConfig read(ServerOptions server, RunOptions options, List<Problem> missing)
            throws UsageException {
        Path file = options.file().orElse(null);
        for (int times = 1; ; times++) {
            String before = file == null ? "" : stamp(file);
            MargayConfig config;
            try {
                config = server.apply(options.config(missing));
            } catch (ConfigException e) {
                text = file == null ? "" : text(file);
                throw e;
            }
            text = file == null || config.admin() == null ? "" : text(file);
            if (file == null || times == READINGS_MAX || stamp(file).equals(before)) {
                return config;
            }
            missing.clear();
        }
    }

    /// What another text has otherwise.
    private static String stamp(Path file) {
        try {
            return Files.getLastModifiedTime(file) + " " + Files.size(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
