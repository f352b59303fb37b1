package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.GatewayConfig;
import io.margay.app.migrate.TomcatConfig;
import io.margay.app.migrate.YamlLine;
import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.tomcat.server.ServerXml;
import io.margay.compat.tomcat.server.TomcatPlan;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `margay migrate`: writes files of httpd, mod_jk and Tomcat as `margay.yaml`, and says what has
/// become of each line.
final class MigrateCommand {
    static final Command COMMAND =
            new Command(
                    "migrate",
                    "writes files of httpd, mod_jk and Tomcat as margay.yaml",
                    "FILE...",
                    List.of(
                            Command.paragraph(
                                    """
                                    FILE is an httpd.conf (*.conf), a workers.properties, a
                                    uriworkermap.properties, together; or Tomcat's server.xml.
                                    margay.yaml is written to stdout, and to stderr a line for each
                                    directive: honoured, noted (nothing depends on it here, or the
                                    same is done otherwise), changed (requests are answered
                                    otherwise) or wrong. Nothing is written if something is wrong.
                                    """),
                            Command.paragraph(
                                    """
                                    "margay run" answers from the margay.yaml as "margay gateway"
                                    does from the files.
                                    """)),
                    List.of(
                            Option.flag(
                                    "--debug",
                                    "Shows stack traces with errors; also MARGAY_DEBUG=1."),
                            Option.flag("--help", "This help.")),
                    List.of(
                            new Example(
                                    "margay migrate httpd.conf workers.properties > margay.yaml",
                                    "A front end."),
                            new Example(
                                    "margay migrate conf/server.xml > margay.yaml",
                                    "A Tomcat's connectors, hosts and contexts.")));

    private final Arguments arguments;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    MigrateCommand(
            Arguments arguments,
            Map<String, String> environment,
            PrintStream out,
            PrintStream err) {
        this.arguments = arguments;
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    int run() throws UsageException {
        List<String> operands = arguments.operands();
        if (operands.size() == 1 && operands.getFirst().toLowerCase(Locale.ROOT).endsWith(".xml")) {
            Path file = Path.of(operands.getFirst());
            if (!Files.exists(file)) {
                throw new StartException(file + " does not exist");
            }
            TomcatPlan plan = tomcat(file);
            String sessions =
                    plan.route().isEmpty()
                            ? ""
                            : "sessions: {route: " + YamlLine.quote(plan.route()) + "}\n";
            return write(TomcatConfig.of(plan), sessions, plan.account());
        }
        GatewayPlan plan = GatewayFiles.read(GatewayCommand.files(arguments), environment);
        MargayConfig config =
                plan.isWrong() ? MargayConfig.defaults() : GatewayConfig.of(plan, List.of());
        return write(config, "", plan.account());
    }

    private static TomcatPlan tomcat(Path file) {
        try {
            return ServerXml.read(file);
        } catch (IOException e) {
            throw new StartException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private int write(MargayConfig config, String more, List<AccountLine> account) {
        account.forEach(line -> err.println(word(line) + " " + line));
        boolean wrong = account.stream().anyMatch(l -> l.verdict() == AccountLine.Verdict.WRONG);
        if (wrong) {
            err.println("margay: nothing is written because of the errors above");
            return ExitCode.FAILED;
        }
        out.print(ConfigWriter.write(config) + more);
        return ExitCode.DONE;
    }

    private static String word(AccountLine line) {
        return String.format(Locale.ROOT, "%-8s", line.verdict().name().toLowerCase(Locale.ROOT));
    }
}
