package io.margay.app.command;

import io.margay.app.acme.AcmeOptions;
import io.margay.app.cli.Arguments;
import io.margay.app.cli.UsageException;
import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.AjpSettings;
import io.margay.app.config.ContextPath;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.StartException;
import io.margay.app.config.TransportChoice;
import io.margay.app.config.WorkFolder;
import io.margay.app.config.WorkerSettings;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.config.file.hosts.KnownHosts;
import io.margay.app.yaml.Problem;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.config.AjpConfig;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.session.SessionIds;
import io.margay.transport.TlsConfig;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the configuration from the command line of `run`, and from its file if it names one.
/// Immutable.
final class RunOptions {
    private static final List<String> OF_THE_FILE =
            List.of(
                    "--context",
                    "--static",
                    "--access-log",
                    "--access-log-format",
                    "--compress",
                    "--acme");

    private final Arguments arguments;
    private final Map<String, String> environment;
    private final @Nullable Path home;
    private final KnownHosts known;

    /// @param home root of the checkout or distribution, which has the examples; null when unknown
    RunOptions(Arguments arguments, Map<String, String> environment, @Nullable Path home) {
        this(arguments, environment, home, new KnownHosts());
    }

    /// @param known hosts of the file that need not be read again
    RunOptions(
            Arguments arguments,
            Map<String, String> environment,
            @Nullable Path home,
            KnownHosts known) {
        this.known = known;
        this.arguments = arguments;
        this.environment = environment;
        this.home = home;
    }

    /// The file that describes everything, which is read again by a reload.
    Optional<Path> file() throws UsageException {
        List<String> operands = arguments.operands();
        return Operands.kinds(operands).contains(Operands.YAML)
                ? Optional.of(Path.of(operands.getFirst()))
                : Optional.empty();
    }

    /// The whole configuration.
    ///
    /// @param missing receives what the file names and is not there
    MargayConfig config(List<Problem> missing) throws UsageException {
        checkWords();
        AcmeConfig acme = acme();
        List<ListenerSettings> listeners = listeners(acme);
        Optional<Path> file = file();
        MargayConfig config;
        if (file.isPresent()) {
            for (String option : OF_THE_FILE) {
                if (arguments.has(option)) {
                    throw new UsageException(
                            "with a configuration file, " + option + " belongs into the file");
                }
            }
            ConfigFile.Result result = ConfigFile.read(file.get(), environment, known);
            missing.addAll(result.missing());
            config = result.get();
        } else {
            if (servesExamples()) {
                for (ListenerSettings listener : listeners) {
                    requireLoopback(listener);
                }
            }
            config = MargayConfig.defaults().withHosts(List.of(host()));
        }
        config = listeners(config, listeners);
        if (!acme.isEmpty()) {
            config = config.withAcme(acme);
        }
        if (arguments.has("--work")) {
            config = config.withWork(path("--work", arguments.value("--work").orElseThrow()));
        } else if (file.isEmpty()) {
            config = config.withWork(WorkFolder.defaultIn(Path.of("").toAbsolutePath()));
        }
        Optional<String> dispatch = arguments.value("--dispatch");
        if (dispatch.isPresent()) {
            WorkerSettings.Dispatch chosen =
                    WorkerSettings.Dispatch.valueOf(dispatch.get().toUpperCase(Locale.ROOT));
            config = config.withWorkers(new WorkerSettings(chosen, config.workers().limits()));
        }
        Optional<String> route = arguments.value("--route", RunOptions::route);
        if (route.isPresent()) {
            config = config.withSessions(config.sessions().withRoute(route.get()));
        }
        return config;
    }

    /// Whether nothing else is named: the examples show what can be done, and are served to this
    /// machine alone.
    boolean servesExamples() {
        return arguments.operands().isEmpty() && !arguments.has("--static");
    }

    private static void requireLoopback(ListenerSettings listener) throws UsageException {
        if (!listener.endpoint().isLoopback()) {
            throw new UsageException(
                    "the example applications are served to this machine only, not at "
                            + listener.endpoint()
                            + "; name a WAR, a folder or a margay.yaml");
        }
    }

    private static String route(String text) {
        if (!SessionIds.isRoute(text)) {
            throw new IllegalArgumentException(SessionIds.ROUTE_FORM);
        }
        return text;
    }

    private AcmeConfig acme() throws UsageException {
        AcmeOptions options = new AcmeOptions(arguments);
        if (!options.areGiven()) {
            return AcmeConfig.NONE;
        }
        if (arguments.has("--cert") || arguments.has("--key")) {
            throw new UsageException("--cert and --key are not given with --acme");
        }
        return options.config(path("--work", arguments.value("--work").orElse("work")));
    }

    private List<ListenerSettings> listeners(AcmeConfig acme) throws UsageException {
        List<ListenerSettings> listeners = new ArrayList<>();
        List<Endpoint> http = arguments.all("--http", Endpoint::parse);
        List<Endpoint> https = arguments.all("--https", Endpoint::parse);
        if (!acme.isEmpty()) {
            listeners.addAll(AcmeOptions.listeners(acme, http, https));
            listeners.addAll(ajp());
            return listeners;
        }
        http.forEach(at -> listeners.add(ListenerSettings.http(at)));
        if (!https.isEmpty()) {
            TlsConfig tls = TlsConfig.of(needed("--cert"), needed("--key"));
            for (Endpoint endpoint : https) {
                listeners.add(ListenerSettings.http(endpoint).withTls(tls));
            }
        } else if (arguments.has("--cert") || arguments.has("--key")) {
            throw new UsageException("--cert and --key belong to --https [ADDR:]PORT");
        }
        listeners.addAll(ajp());
        return listeners;
    }

    private List<ListenerSettings> ajp() throws UsageException {
        List<Endpoint> endpoints = arguments.all("--ajp", Endpoint::parse);
        Optional<String> secret = arguments.value("--ajp-secret");
        if (endpoints.isEmpty()) {
            if (secret.isPresent()) {
                throw new UsageException("--ajp-secret belongs to --ajp [ADDR:]PORT");
            }
            return List.of();
        }
        String text =
                secret.orElseThrow(() ->
                        new UsageException(
                                "--ajp needs --ajp-secret SECRET, the front end's; to do"
                                        + " without one, say secret-required: false in a"
                                        + " configuration file"));
        AjpSettings ajp =
                new AjpSettings(Arguments.read("--ajp-secret", text, AjpConfig::withSecret), true);
        List<ListenerSettings> listeners = new ArrayList<>();
        for (Endpoint endpoint : endpoints) {
            listeners.add(ListenerSettings.ajp(endpoint, ajp));
        }
        return listeners;
    }

    private MargayConfig listeners(MargayConfig config, List<ListenerSettings> listeners) {
        MargayConfig result = listeners.isEmpty() ? config : config.withListeners(listeners);
        Optional<String> transport = arguments.value("--transport");
        if (transport.isEmpty()) {
            return result;
        }
        TransportChoice choice = TransportChoice.of(transport.get());
        return result.withListeners(
                result.listeners().stream().map(one -> one.withTransport(choice)).toList());
    }

    private Path needed(String option) throws UsageException {
        String text =
                arguments
                        .value(option)
                        .orElseThrow(() -> new UsageException("--https needs " + option + " FILE"));
        Path path = path(option, text);
        if (!Files.isReadable(path)) {
            throw new StartException(
                    option
                            + " "
                            + text
                            + (Files.exists(path) ? " cannot be read" : " does not exist"));
        }
        return path;
    }

    private HostSettings host() throws UsageException {
        List<RouteSettings> routes = new ArrayList<>();
        List<String> operands = arguments.operands();
        List<Operands> kinds = Operands.kinds(operands);
        if (arguments.has("--context") && (kinds.size() != 1 || kinds.contains(Operands.WEBAPPS))) {
            throw new UsageException("--context belongs to one WAR or application folder");
        }
        String context =
                arguments.value("--context", ContextPath::parse).orElse(ContextPath.parse("/"));
        for (int i = 0; i < operands.size(); i++) {
            Path path = path("FILE", operands.get(i));
            if (kinds.get(i) == Operands.WEBAPPS) {
                routes.add(new RouteSettings.Webapps(path));
            } else {
                String at =
                        operands.size() == 1 ? context : WebAppsFolder.named(path).contextPath();
                routes.add(new RouteSettings.App(at, path, Map.of()));
            }
        }
        for (String text : arguments.all("--static")) {
            int equals = text.indexOf('=');
            if (equals < 0) {
                throw new UsageException("--static is given as /path=DIR, not \"" + text + "\"");
            }
            Path folder = path("--static", text.substring(equals + 1));
            if (!Files.isDirectory(folder)) {
                throw new StartException("--static: " + folder + " is not a folder");
            }
            String prefix =
                    Arguments.read("--static", text.substring(0, equals), ContextPath::parse);
            routes.add(new RouteSettings.StaticFiles(prefix, folder));
        }
        if (routes.isEmpty()) {
            routes.add(new RouteSettings.Webapps(examples()));
        }
        HostSettings host = new HostSettings(List.of(), accessLog(), routes);
        return arguments.has("--compress")
                ? host.withChanges(
                        HostChanges.NONE.withCompression(
                                List.of(CompressionRule.of(CompressionConfig.defaults()))))
                : host;
    }

    private @Nullable AccessLogSettings accessLog() throws UsageException {
        Optional<String> file = arguments.value("--access-log");
        if (file.isEmpty()) {
            if (arguments.has("--access-log-format")) {
                throw new UsageException("--access-log-format belongs to --access-log FILE");
            }
            return null;
        }
        String format =
                arguments.value("--access-log-format").orElse(AccessLogSettings.FORMAT_DEFAULT);
        return new AccessLogSettings(path("--access-log", file.get()), format);
    }

    /// The example applications: built in a checkout, packed in a distribution.
    private Path examples() throws UsageException {
        if (home != null) {
            for (String place : List.of("examples/target/webapps", "examples/webapps")) {
                Path folder = home.resolve(place);
                if (Files.isDirectory(folder)) {
                    return folder;
                }
            }
        }
        throw new UsageException(
                "the example applications are not here; name a WAR, a folder or a margay.yaml");
    }

    private static Path path(String option, String text) throws UsageException {
        try {
            return Path.of(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new UsageException(option + ": \"" + text + "\" is not a path");
        }
    }

    /// What can be told from the words alone is told before files are looked at.
    private void checkWords() throws UsageException {
        Optional<String> _ = arguments.choice("--transport", TransportChoice.words());
        Optional<String> _ = arguments.choice("--dispatch", List.of("inline", "pool", "virtual"));
    }
}
