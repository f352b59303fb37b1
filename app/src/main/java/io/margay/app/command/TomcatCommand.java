package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.Endpoint;
import io.margay.app.config.JmxMode;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.migrate.TomcatConfig;
import io.margay.app.startcache.StartCache;
import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountReport;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.compat.tomcat.server.ServerXml;
import io.margay.compat.tomcat.server.TomcatPlan;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// `margay tomcat`: serves from a `CATALINA_BASE` as it stands.
final class TomcatCommand {
    static final Command COMMAND =
            new Command(
                    "tomcat",
                    "serves the CATALINA_BASE of a Tomcat unchanged",
                    "BASE",
                    List.of(
                            Command.paragraph(
                                    """
                                    Replaces Tomcat 9, 10 or 11. BASE is the folder with
                                    conf/server.xml. It reads conf/server.xml, context.xml,
                                    catalina.properties, tomcat-users.xml, the contexts in
                                    conf/ENGINE/HOST, lib, bin/setenv.sh and the applications.
                                    """),
                            Command.paragraph(
                                    """
                                    Differences from Tomcat are printed on stderr. It does not start
                                    if something closed would become open. "margay check BASE"
                                    prints the same without serving; "margay migrate BASE" writes a
                                    margay.yaml, with an account of every attribute.
                                    """)),
                    ServerOptions.after(
                            Option.many(
                                    "--http",
                                    "[ADDR:]PORT",
                                    "HTTP listener, instead of the connectors of the base."),
                            Option.of(
                                    "--work",
                                    "DIR",
                                    "Folder for unpacked archives, compiled pages and kept"
                                            + " sessions. Default: BASE/work/margay.")),
                    List.of(
                            new Example("margay tomcat /var/lib/tomcat9", "A base of Debian."),
                            new Example(
                                    "margay tomcat /opt/tomcat --http 8081",
                                    "Beside the Tomcat that still runs.")));

    private final Arguments arguments;
    private final Map<String, String> environment;
    private final PrintStream stderr;
    private final ServerOptions options;

    TomcatCommand(
            Arguments arguments, Map<String, String> environment, PrintStream err, boolean debug)
            throws UsageException {
        this.arguments = arguments;
        this.environment = environment;
        stderr = err;
        options = new ServerOptions(arguments, environment, debug);
    }

    int run() throws UsageException {
        if (arguments.operands().size() != 1) {
            throw new UsageException("\"tomcat\" needs a BASE: the folder with conf/server.xml");
        }
        String operand = arguments.operands().getFirst();
        PrintStream err = options.log(stderr);
        CatalinaBase base = read(operand, environment);
        base.plan().failures().forEach(line -> err.println("margay: " + line));
        if (base.plan().isWrong()) {
            throw new StartException(
                    "nothing is served because of the errors above; \"margay check\" reads the"
                            + " files without serving");
        }
        base.systemProperties().forEach(System::setProperty);
        options.log(base.log());
        MargayConfig config = config(base);
        err.println("margay: " + operand + ": " + AccountReport.totals(base.plan().account()));
        Serving serving = new Serving(err, source(operand));
        return serving.serve(
                config,
                () -> {
                    StartCache.makeLater(CacheTraining.class);
                    if (!config.deploy().auto().isOff()) {
                        DescriptorWatch.start(base.folder(), serving);
                    }
                });
    }

    private Serving.Source source(String operand) {
        return new Serving.Source() {
            @Override
            public String name() {
                return operand;
            }

            @Override
            public MargayConfig read(List<String> problems) {
                CatalinaBase base = TomcatCommand.read(operand, environment);
                base.plan().account().stream()
                        .filter(line -> line.verdict().isRefusal())
                        .map(AccountLine::toString)
                        .forEach(problems::add);
                try {
                    return problems.isEmpty() ? config(base) : MargayConfig.defaults();
                } catch (UsageException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private MargayConfig config(CatalinaBase base) throws UsageException {
        MargayConfig config = TomcatConfig.of(base.plan());
        List<ListenerSettings> http = new ArrayList<>();
        for (Endpoint endpoint : arguments.all("--http", Endpoint::parse)) {
            http.add(ListenerSettings.http(endpoint));
        }
        if (!http.isEmpty()) {
            refuseOpening(config);
            config = config.withListeners(http);
        }
        Optional<String> work = arguments.value("--work");
        Path folder = work.map(Path::of).orElse(base.ownWork());
        return options.apply(config)
                .withWork(folder)
                .withSeen(new MargayConfig.Seen(JmxMode.ON, config.seen().telemetry()));
    }

    /// Listeners of the command line ask for no certificate, and belong to no service.
    private static void refuseOpening(MargayConfig config) {
        for (ListenerSettings listener : config.listeners()) {
            TlsConfig tls = listener.tls();
            boolean asked =
                    tls != null
                            && (tls.clients().auth() != TlsConfig.ClientAuth.NONE
                                    || tls.named().stream()
                                            .anyMatch(one ->
                                                    one.tls().clients().auth()
                                                            != TlsConfig.ClientAuth.NONE));
            if (asked) {
                throw new StartException(
                        "--http asks clients for no certificate, and the connector at "
                                + listener.endpoint()
                                + " does (certificateVerification); leave the option out");
            }
        }
        if (config.hosts().stream().anyMatch(host -> !host.at().isEmpty())) {
            throw new StartException(
                    "--http would serve the hosts of several services alike; leave the option"
                            + " out");
        }
    }

    /// Reads the base of a command line.
    ///
    /// @throws StartException when it is none, or cannot be read Whether this is a CATALINA_BASE,
    ///   or a server.xml.
    static boolean isBase(String operand) {
        return isServerXml(operand) || CatalinaBase.isOne(Path.of(operand));
    }

    private static boolean isServerXml(String operand) {
        return operand.toLowerCase(Locale.ROOT).endsWith(".xml");
    }

    /// What a base says, or its server.xml alone.
    static TomcatPlan plan(String operand, Map<String, String> environment) {
        if (!isServerXml(operand)) {
            return read(operand, environment).plan();
        }
        Path file = Path.of(operand);
        if (!Files.exists(file)) {
            throw new StartException(file + " does not exist");
        }
        try {
            return ServerXml.read(file);
        } catch (IOException e) {
            throw new StartException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    static CatalinaBase read(String operand, Map<String, String> environment) {
        Path folder = Path.of(operand);
        if (!CatalinaBase.isOne(folder)) {
            throw new StartException(
                    operand + " is not a CATALINA_BASE: there is no conf/server.xml in it");
        }
        try {
            return CatalinaBase.read(folder, environment);
        } catch (IOException e) {
            throw new StartException(operand + " cannot be read: " + e.getMessage(), e);
        }
    }
}
