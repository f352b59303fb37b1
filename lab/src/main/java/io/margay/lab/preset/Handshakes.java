package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// Full TLS handshakes: a connection per request, by clients that resume nothing.
///
/// @param hasEcKey whether the servers' key is of the curve P-256; otherwise RSA with 2048 bits
record Handshakes(String name, boolean hasEcKey) implements Preset {
    /// Few, so that no server is kept busier by the tool than by its handshakes.
    private static final int CONNECTIONS = 4;

    private static final String NGINX = "nginx:files";

    static List<Preset> variants() {
        return List.of(
                new Handshakes("handshakes-rsa", false), new Handshakes("handshakes-ec", true));
    }

    @Override
    public String title() {
        return "full TLS handshakes, key " + (hasEcKey ? "EC P-256" : "RSA 2048");
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                new Scenario(
                        "full",
                        "a full handshake and a file of 1.5 KB",
                        LoadJob.closed(CONNECTIONS, true, false),
                        Page.SMALL,
                        Servers.all(
                                List.of(NGINX),
                                Servers.MARGAY,
                                List.of("tomcat7:apr", "tomcat:openssl", Servers.TOMCAT)),
                        NGINX,
                        Metric.CPU,
                        true));
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .because("full", Servers.MARGAY.getFirst(), NGINX)
                .because("full", Servers.MARGAY.getFirst(), Servers.TOMCAT)
                .sentences();
    }
}
