package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.config.listener.Http3Check;
import io.margay.app.config.members.SingleMemberCheck;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.app.migrate.GatewayConfig;
import io.margay.app.migrate.TomcatConfig;
import io.margay.app.yaml.Problem;
import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountReport;
import io.margay.compat.httpd.FolderFileCheck;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.tomcat.server.TomcatPlan;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberFinders;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.shield.Shield;
import io.margay.gateway.shield.ShieldSettings;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.factory.Transports;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `margay check`: reads files as `run` would, starts nothing, and reports everything wrong.
record CheckCommand(
        Arguments arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
    static final Command COMMAND =
            new Command(
                    "check",
                    "validates files without starting anything",
                    "FILE...",
                    List.of(
                            Command.paragraph(
                                    """
                                    FILE is a configuration (margay.yaml), a WAR file, the folder of
                                    an unpacked application, a folder of applications, a
                                    CATALINA_BASE or its server.xml, an nginx.conf, or httpd.conf,
                                    workers.properties and uriworkermap.properties together. Every
                                    error is printed with file, line and remedy; the exit code is 1
                                    if there are any. Applications of a configuration are checked,
                                    too. In files of httpd and nginx, directives that change
                                    responses are errors, too, and so are errors in a .htaccess
                                    below the served folders.
                                    """)),
                    List.of(
                            Option.flag(
                                    "--no-pages",
                                    "Does not compile JSPs, which takes about 50 ms of CPU time"
                                            + " each. Compiling runs validators of tag libraries,"
                                            + " but no page."),
                            Option.flag("--pages", "Compiles JSPs; the default."),
                            Option.DEBUG,
                            Option.HELP),
                    List.of(
                            new Example("margay check margay.yaml", "Before a reload."),
                            new Example("margay check shop.war", "Before a deployment.")));

    int run() throws UsageException {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("\"check\" needs a FILE");
        }
        int errors = 0;
        List<String> others = new ArrayList<>();
        List<Path> gateway = new ArrayList<>();
        for (String operand : arguments.operands()) {
            Path path = Path.of(operand);
            if (FrontEndFiles.has(path)) {
                gateway.add(path);
            } else {
                others.add(operand);
            }
        }
        if (!gateway.isEmpty()) {
            errors += gateway(gateway);
        }
        for (String operand : others) {
            List<String> found = check(operand);
            found.forEach(line -> err.println("margay: " + line));
            errors += found.size();
            if (found.isEmpty()) {
                out.println(operand + ": no errors");
            }
        }
        if (errors > 0) {
            err.println("margay: " + (errors == 1 ? "1 error" : errors + " errors"));
        }
        return errors == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    /// Files of httpd belong together: each is read in the light of the others.
    private int gateway(List<Path> files) {
        GatewayPlan plan = FrontEndFiles.read(files, environment);
        List<AccountLine> failures = new ArrayList<>(plan.failures());
        failures.addAll(FolderFileCheck.of(plan, RuleLimits.defaults()));
        failures.forEach(line -> err.println("margay: " + line));
        List<String> http3 =
                plan.isWrong()
                        ? List.of()
                        : Http3Check.errors(
                                files.getFirst(), GatewayConfig.of(plan, List.of()).listeners());
        http3.forEach(line -> err.println("margay: " + line));
        int found = failures.size() + http3.size();
        long noted =
                plan.account().stream()
                        .filter(line -> line.verdict() == AccountLine.Verdict.NOTED)
                        .count();
        String names = String.join(", ", files.stream().map(Path::toString).toList());
        out.println(
                names
                        + ": "
                        + (found == 0 ? "no errors" : found + " to look at")
                        + "; of "
                        + plan.account().size()
                        + " directives "
                        + noted
                        + " have no effect here (\"margay migrate\" lists each)");
        return found;
    }

    private List<String> check(String operand) throws UsageException {
        Path path = Path.of(operand);
        if (!Files.exists(path)) {
            return List.of(operand + ": does not exist");
        }
        if (TomcatCommand.isBase(operand)) {
            return base(operand);
        }
        return switch (Operands.kind(operand)) {
            case YAML -> yaml(path);
            case APP -> apps().app(path, DeployOptions.defaults());
            case WEBAPPS -> apps().folder(path, DeployOptions.defaults());
        };
    }

    private AppCheck apps() {
        return new AppCheck(!arguments.has("--no-pages"), out::println);
    }

    /// What is wrong with a base, what it changes, and what is wrong with its applications.
    private List<String> base(String operand) {
        TomcatPlan plan = TomcatCommand.plan(operand, environment);
        out.println(operand + ": " + AccountReport.totals(plan.account()));
        List<String> lines =
                new ArrayList<>(plan.failures().stream().map(AccountLine::toString).toList());
        lines.addAll(apps().all(TomcatConfig.of(plan), !plan.isWrong()));
        return lines;
    }

    private List<String> yaml(Path path) {
        ConfigFile.Result result = ConfigFile.read(path, environment);
        List<Problem> problems = new ArrayList<>(result.problems());
        problems.addAll(result.missing());
        Collections.sort(problems);
        List<String> lines = new ArrayList<>(problems.stream().map(Problem::toString).toList());
        MargayConfig config = result.config();
        if (config != null) {
            lines.addAll(apps().all(config));
            members(path, config, lines);
            lines.addAll(shields(path, config, Shield.verifiesBots()));
            certificates(path, config, lines);
            lines.addAll(Http3Check.errors(path, config.listeners(), Transports.datagramProblem()));
            Http3Check.notes(path, config.listeners(), Http3Check.localAddresses())
                    .forEach(out::println);
            SingleMemberCheck.notes(path, config).forEach(out::println);
        }
        return lines;
    }

    /// A server starts with a shield that knows no bot, and challenges them all.
    ///
    /// @param verifiable whether names of addresses can be looked up
    static List<String> shields(Path path, MargayConfig config, boolean verifiable) {
        List<String> errors = new ArrayList<>();
        for (HostSettings host : config.hosts()) {
            ShieldSettings shield = host.shield();
            if (!verifiable && shield != null && !shield.bots().known().isEmpty()) {
                errors.add(
                        path
                                + ": the shield of "
                                + (host.names().isEmpty()
                                        ? "the host for any name"
                                        : host.names().getFirst())
                                + " verifies no bots without margay-members-dns on the class path;"
                                + " add it, or set \"bots: []\"");
            }
        }
        return errors;
    }

    /// A server starts with a certificate for peers that has expired, as with one of a listener.
    private static void certificates(Path path, MargayConfig config, List<String> errors) {
        Set<Certificate> shown = new LinkedHashSet<>();
        for (UpstreamConfig upstream : config.upstreams().values()) {
            upstream.peers().forEach(peer -> shown.addAll(peer.tls().certificates()));
            upstream.sources().forEach(one -> shown.addAll(one.pattern().tls().certificates()));
        }
        for (Certificate one : shown) {
            Instant until = Transports.certificate(one).getNotAfter().toInstant();
            if (until.isBefore(Instant.now())) {
                errors.add(path + ": " + one + ": the certificate for members expired at " + until);
            }
        }
    }

    /// A file of members that is not there may come, as may a name server; a file that is broken is
    /// an error.
    private void members(Path path, MargayConfig config, List<String> errors) {
        for (UpstreamConfig upstream : config.upstreams().values()) {
            for (MemberSource source : upstream.sources()) {
                String failure =
                        MemberFinders.check(source, DiscoveryLimits.defaults(), System::nanoTime);
                String line = path + ": upstream " + upstream.name() + ": " + source.place() + " ";
                if (failure != null && MemberFinders.isThere(source)) {
                    errors.add(line + failure);
                } else if (failure != null) {
                    out.println(line + failure);
                }
            }
        }
    }
}
