package io.margay.app.migrate;

import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.file.FileShape;
import java.nio.file.Path;

/// Writes what holds for the whole server as keys of `margay.yaml`: workers, sessions and
/// deployment; what holds by default is left out. Stateless.
final class ServerLines {
    private ServerLines() {}

    static void write(MargayConfig config, StringBuilder out) {
        YamlLine workers = new YamlLine();
        FileShape.changed(config.workers()).forEach(workers::raw);
        line("workers", workers, out);
        SessionSettings sessions = config.sessions();
        YamlLine ofSessions = new YamlLine();
        if (!sessions.route().isEmpty()) {
            ofSessions.text("route", sessions.route());
        }
        line(
                "sessions",
                ofSessions.flag("drain-when-disabled", sessions.drainDisabled(), false),
                out);
        line("deploy", deploy(config.deploy()), out);
    }

    private static YamlLine deploy(DeployOptions deploy) {
        YamlLine line = new YamlLine();
        line.flag("error-details", deploy.errorDetails(), false)
                .flag("trace", deploy.trace(), false);
        Path users = deploy.users();
        if (users != null) {
            line.text("users", users.toString());
        }
        AutoDeploySettings auto = deploy.auto();
        if (!auto.every().equals(AutoDeploySettings.EVERY_DEFAULT)) {
            line.text("auto-deploy", auto.every().toMillis() + "ms");
        }
        return line.flag("undeploy-old-versions", auto.undeployOldVersions(), false);
    }

    private static void line(String key, YamlLine line, StringBuilder out) {
        if (!line.toString().equals("{}")) {
            out.append(key).append(": ").append(line).append('\n');
        }
    }
}
