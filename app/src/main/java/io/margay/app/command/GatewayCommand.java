package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostPlace;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.config.TransportChoice;
import io.margay.app.config.WorkFolder;
import io.margay.app.config.listener.Http3Check;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.app.migrate.GatewayConfig;
import io.margay.app.startcache.StartCache;
import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.gateway.plan.HostPlan;
import io.margay.transport.TlsConfig;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `margay gateway`: serves from the files of httpd, mod_jk, mod_proxy and nginx as they are.
record GatewayCommand(
        Arguments arguments, Map<String, String> environment, PrintStream stderr, boolean debug) {
    private static final System.Logger LOG = System.getLogger(GatewayCommand.class.getName());
    private static final String KINDS =
            "an httpd.conf or nginx.conf (*.conf), a workers.properties or a"
                    + " uriworkermap.properties (*.properties)";

    static final Command COMMAND =
            new Command(
                    "gateway",
                    "serves from httpd.conf, nginx.conf and files of mod_jk",
                    "FILE...",
                    List.of(
                            Command.paragraph(
                                    """
                                    Replaces httpd with mod_jk or mod_proxy, or nginx. FILE is an
                                    nginx.conf, or an httpd.conf (*.conf), a workers.properties or a
                                    uriworkermap.properties. Files that httpd.conf names are read,
                                    too.
                                    """),
                            Command.paragraph(
                                    """
                                    Every directive is honoured, or named with file, line and what
                                    happens instead. Directives that change responses are printed at
                                    the start; "margay check" prints the same and fails, "margay
                                    migrate" lists every line. A malformed file is not served.
                                    """),
                            Command.paragraph(
                                    """
                                    Listeners are those of the Listen lines; without any,
                                    127.0.0.1:8080. A changed JkMountFile is read again after
                                    JkMountFileReload seconds, all files on SIGHUP.
                                    """)),
                    ServerOptions.after(
                            Option.many(
                                    "--http",
                                    "[ADDR:]PORT",
                                    "HTTP listener, instead of the plain Listen lines, in"
                                            + " their order."),
                            Option.many(
                                    "--https",
                                    "[ADDR:]PORT",
                                    "Additional HTTPS listener; needs --cert and --key."),
                            Option.of(
                                    "--cert",
                                    "FILE",
                                    "PEM file with the certificate and its chain."),
                            Option.of("--key", "FILE", "PEM file with the private key."),
                            Option.of(
                                    "--transport",
                                    "NAME",
                                    "The transport: blocking (virtual threads), nio (selectors) or"
                                            + " native (epoll). Default: the best that this"
                                            + " machine has; the"
                                            + " start-up line says which.")),
                    List.of(
                            new Example(
                                    "margay gateway /etc/apache2/apache2.conf",
                                    "Everything that Debian's httpd would serve."),
                            new Example(
                                    "margay gateway workers.properties uriworkermap.properties",
                                    "Only mod_jk's files, at http://127.0.0.1:8080/."),
                            new Example(
                                    "margay gateway httpd.conf workers.properties --http *:80",
                                    "A fragment of httpd.conf, on port 80 of every address.")));

    int run() throws UsageException {
        List<Path> files = files(COMMAND, arguments, KINDS);
        ServerOptions server = new ServerOptions(arguments, environment, debug);
        Options options = Options.of(arguments, server);
        PrintStream err = server.log(stderr);
        GatewayPlan plan = FrontEndFiles.read(files, environment);
        plan.failures().forEach(line -> err.println("margay: " + line));
        if (plan.isWrong()) {
            throw new StartException(
                    "nothing is served because of the errors above; \"margay"
                            + " check\" reads the files without serving");
        }
        Serving serving = new Serving(err, source(files, options, plan));
        return serving.serve(
                options.apply(plan),
                () -> {
                    StartCache.makeLater(CacheTraining.class);
                    MountFileWatch.start(
                            plan.watched(),
                            () -> {
                                String _ =
                                        serving.reload(new ChangeCause("by a changed JkMountFile"));
                            });
                });
    }

    /// The files of httpd and mod_jk on a command line.
    ///
    /// @param kinds what the command takes, in words
    static List<Path> files(Command command, Arguments arguments, String kinds)
            throws UsageException {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("\"" + command.name() + "\" needs a FILE: " + kinds);
        }
        List<Path> files = new ArrayList<>();
        for (String operand : arguments.operands()) {
            Path path = Path.of(operand);
            if (!Files.exists(path)) {
                throw new StartException(operand + " does not exist");
            }
            if (!FrontEndFiles.has(path)) {
                throw new UsageException(operand + " is not " + kinds);
            }
            files.add(path);
        }
        return files;
    }

    /// @param first what was read at the start; later only what is new is complained of
    private Serving.Source source(List<Path> files, Options options, GatewayPlan first) {
        Set<AccountLine> known = new HashSet<>(first.failures());
        return new Serving.Source() {
            @Override
            public String name() {
                return String.join(", ", files.stream().map(Path::toString).toList());
            }

            @Override
            public boolean isRestartedGracefully() {
                return true; // As httpd is by this signal.
            }

            @Override
            public MargayConfig read(List<String> problems) {
                GatewayPlan plan = FrontEndFiles.read(files, environment);
                if (plan.isWrong()) {
                    plan.failures().stream().map(AccountLine::toString).forEach(problems::add);
                    return MargayConfig.defaults();
                }
                plan.failures().stream()
                        .filter(known::add)
                        .forEach(line -> LOG.log(Level.WARNING, "{0}", line));
                return options.apply(plan);
            }
        };
    }

    /// What the command line says beside the files. Immutable.
    private record Options(
            Path file,
            List<Endpoint> http,
            List<ListenerSettings> https,
            TransportChoice transport,
            ServerOptions server) {
        static Options of(Arguments arguments, ServerOptions server) throws UsageException {
            List<ListenerSettings> https = new ArrayList<>();
            for (Endpoint endpoint : arguments.all("--https", Endpoint::parse)) {
                if (!arguments.has("--cert") || !arguments.has("--key")) {
                    throw new UsageException("--https needs --cert FILE and --key FILE");
                }
                TlsConfig tls =
                        TlsConfig.of(
                                Path.of(arguments.value("--cert").orElseThrow()),
                                Path.of(arguments.value("--key").orElseThrow()));
                https.add(ListenerSettings.http(endpoint).withTls(tls));
            }
            return new Options(
                    Path.of(arguments.operands().getFirst()),
                    arguments.all("--http", Endpoint::parse),
                    https,
                    arguments
                            .choice("--transport", TransportChoice.words())
                            .map(TransportChoice::of)
                            .orElse(TransportChoice.AUTO),
                    server);
        }

        /// Listeners of the command line ask for no certificates, so that a host for those who show
        /// one would be open there.
        private void refuseOpening(GatewayPlan plan) {
            List<Integer> ports = new ArrayList<>();
            http.forEach(endpoint -> ports.add(endpoint.port()));
            https.forEach(listener -> ports.add(listener.endpoint().port()));
            if (ports.isEmpty()) {
                return;
            }
            for (HostPlan host : plan.hosts()) {
                boolean here =
                        host.at().isEmpty()
                                || host.at().stream()
                                        .map(at -> HostPlace.parse(at).port())
                                        .anyMatch(port -> port == 0 || ports.contains(port));
                if (host.entry().needsCertificate() && here) {
                    String name = host.names().isEmpty() ? "a host" : host.names().getFirst();
                    throw new StartException(
                            "--http and --https ask clients for no certificate, and "
                                    + name
                                    + " of the files is only for those who show one"
                                    + " (SSLVerifyClient require); give it a VirtualHost with the"
                                    + " port of a Listen line, or leave the options out");
                }
            }
        }

        /// What speaks HTTP/3 speaks HTTP/1.1 and HTTP/2, too: where this machine cannot speak it,
        /// clients lose nothing but time.
        private ListenerSettings withoutHttp3IfNeeded(ListenerSettings listener) {
            List<String> errors = Http3Check.errors(file, List.of(listener));
            errors.forEach(line -> LOG.log(Level.WARNING, "without HTTP/3: {0}", line));
            return errors.isEmpty() ? listener : listener.withHttp3(false);
        }

        MargayConfig apply(GatewayPlan plan) {
            refuseOpening(plan);
            MargayConfig config = GatewayConfig.of(plan, http);
            List<ListenerSettings> listeners = new ArrayList<>();
            config.listeners().forEach(one -> listeners.add(withoutHttp3IfNeeded(one)));
            listeners.addAll(https);
            return server.apply(config)
                    .withListeners(
                            listeners.stream()
                                    .map(one ->
                                            transport == TransportChoice.AUTO
                                                    ? one
                                                    : one.withTransport(transport))
                                    .toList())
                    .withWork(WorkFolder.defaultIn(Path.of("").toAbsolutePath()));
        }
    }
}
