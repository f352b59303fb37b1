package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.app.migrate.GatewayConfig;
import io.margay.app.migrate.TomcatConfig;
import io.margay.app.migrate.Unwritten;
import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountReport;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.tomcat.server.TomcatPlan;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// `margay migrate`: writes files of httpd, mod_jk and Tomcat as `margay.yaml`, and says what has
/// become of each line.
record MigrateCommand(
        Arguments arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
    static final Command COMMAND =
            new Command(
                    "migrate",
                    "writes files of httpd, mod_jk, nginx and Tomcat as margay.yaml",
                    "FILE...",
                    List.of(
                            Command.paragraph(
                                    """
                                    FILE is an httpd.conf (*.conf), a workers.properties and a
                                    uriworkermap.properties together; or an nginx.conf; or a
                                    CATALINA_BASE, or its server.xml alone. margay.yaml goes to
                                    stdout or to the file of -o. An account goes to stderr: totals,
                                    then each directive and attribute that is wrong, changed
                                    (responses differ), noted (no effect here, or done in another
                                    way) or honoured. If something is wrong, nothing is written.
                                    """),
                            Command.paragraph(
                                    """
                                    "margay run" with the margay.yaml answers as "margay gateway"
                                    with the files.
                                    """)),
                    List.of(
                            Option.of("-o", "FILE", "Writes margay.yaml there."),
                            Option.DEBUG,
                            Option.HELP),
                    List.of(
                            new Example(
                                    "margay migrate httpd.conf workers.properties > margay.yaml",
                                    "A front end."),
                            new Example(
                                    "margay migrate /var/lib/tomcat9 -o margay.yaml",
                                    "A whole CATALINA_BASE."),
                            new Example(
                                    "margay migrate conf/server.xml > margay.yaml",
                                    "A Tomcat's connectors, hosts and contexts alone.")));

    int run() throws UsageException {
        List<String> operands = arguments.operands();
        if (operands.size() == 1 && TomcatCommand.isBase(operands.getFirst())) {
            return write(TomcatCommand.plan(operands.getFirst(), environment));
        }
        List<Path> files =
                GatewayCommand.files(
                        COMMAND,
                        arguments,
                        "an httpd.conf (*.conf), a workers.properties, a uriworkermap.properties"
                                + " (*.properties), a CATALINA_BASE of Tomcat's or its"
                                + " server.xml");
        GatewayPlan plan = FrontEndFiles.read(files, environment);
        Set<String> unwritten = Unwritten.directives(plan);
        if (!unwritten.isEmpty() && !plan.isWrong()) {
            AccountReport.lines(plan.account()).forEach(err::println);
            err.println(
                    "margay: nothing is written: margay.yaml has no keys for "
                            + String.join(", ", unwritten)
                            + "; \"margay gateway\" serves the files as they are");
            return ExitCode.FAILED;
        }
        MargayConfig config =
                plan.isWrong() ? MargayConfig.defaults() : GatewayConfig.of(plan, List.of());
        return write(config, plan.account());
    }

    private int write(TomcatPlan plan) {
        return write(
                plan.isWrong() ? MargayConfig.defaults() : TomcatConfig.of(plan), plan.account());
    }

    private int write(MargayConfig config, List<AccountLine> account) {
        AccountReport.lines(account).forEach(err::println);
        boolean wrong = account.stream().anyMatch(line -> line.verdict().isRefusal());
        if (wrong) {
            err.println("margay: nothing is written because of the errors above");
            return ExitCode.FAILED;
        }
        String yaml =
                "# Written by \"margay migrate "
                        + String.join(" ", arguments.operands())
                        + "\".\n# "
                        + AccountReport.totals(account)
                        + ".\n"
                        + ConfigWriter.write(config);
        Optional<String> file = arguments.value("-o");
        if (file.isEmpty()) {
            out.print(yaml);
            return ExitCode.DONE;
        }
        try {
            Files.writeString(Path.of(file.get()), yaml);
        } catch (IOException e) {
            throw new StartException(file.get() + " cannot be written: " + e.getMessage(), e);
        }
        return ExitCode.DONE;
    }
}
