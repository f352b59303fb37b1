package io.margay.app.migrate;

import io.margay.compat.account.ToldAccount;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.ClientLimitsBuilder;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.nginx.NginxFiles;
import io.margay.compat.nginx.plan.NginxPlan;
import io.margay.server.acme.AcmeConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Reads the files of another front end's, whichever it is. Stateless.
public final class FrontEndFiles {
    private FrontEndFiles() {}

    /// Whether a file is one of them.
    public static boolean has(Path file) {
        return NginxFiles.isNginx(file) || GatewayFiles.kind(file).isPresent();
    }

    /// Reads files that belong together.
    ///
    /// @param environment variables of the process
    /// @throws IllegalArgumentException when they are of no known kind, or do not belong together
    public static GatewayPlan read(List<Path> files, Map<String, String> environment) {
        List<Path> nginx = files.stream().filter(NginxFiles::isNginx).toList();
        if (nginx.isEmpty()) {
            return GatewayFiles.read(files, environment);
        }
        if (files.size() > 1) {
            throw new IllegalArgumentException(
                    nginx.getFirst() + " is read alone: what belongs to it is included in it");
        }
        return plan(NginxFiles.read(nginx.getFirst()));
    }

    private static GatewayPlan plan(NginxPlan plan) {
        return new GatewayPlan(
                plan.listeners(),
                plan.hosts(),
                plan.upstreams(),
                List.of(),
                AcmeConfig.NONE,
                ClientLimitsBuilder.builder().build(),
                new ToldAccount(plan.account(), plan.meeting()));
    }
}
