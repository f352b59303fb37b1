package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
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
                Scenario.of(
                                "full",
                                LoadJob.closed(CONNECTIONS, true, false),
                                Page.SMALL,
                                Servers.all(
                                        List.of(NGINX),
                                        Servers.MARGAY,
                                        List.of("tomcat7:apr", "tomcat:openssl", Servers.TOMCAT)),
                                NGINX)
                        .withTitle("a full handshake and a file of 1.5 KB"));
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .because("full", Servers.MARGAY.getFirst(), NGINX)
                .because("full", Servers.MARGAY.getFirst(), Servers.TOMCAT)
                .sentences();
    }

    /// A thousand clients at once, each of which opens a connection for every request: what an
    /// accepted connection and a handshake cost then, and what fifty other clients, which keep
    /// their connections, see meanwhile.
    record Storms() implements Preset {
        private static final int CLIENTS = 1000;
        private static final int KEPT = 50;

        /// Few enough for a server that is busy with others.
        private static final double KEPT_PER_SECOND = 500;

        private static final List<String> SERVERS = List.of(NGINX, "margay:native", Servers.TOMCAT);

        @Override
        public String name() {
            return "storms";
        }

        @Override
        public String title() {
            return "1 000 clients with a connection for each request, and 50 others meanwhile";
        }

        @Override
        public boolean hasEcKey() {
            return true;
        }

        @Override
        public List<Scenario> scenarios() {
            LoadJob accepts = LoadJob.closed(CLIENTS, false, false);
            LoadJob handshakes = LoadJob.closed(CLIENTS, true, false);
            LoadJob kept = LoadJob.rate(KEPT_PER_SECOND, KEPT, false, true);
            return List.of(
                    scenario("accept", "a connection and a file of 1.5 KB", accepts, true),
                    scenario("handshake", "a full handshake and that file", handshakes, true),
                    scenario("kept", "50 kept connections, alone", kept, false),
                    scenario("kept-accept", "the same beside 1 000 without TLS", kept, false)
                            .beside(accepts, Page.SMALL),
                    scenario("kept-handshake", "the same beside 1 000 with TLS", kept, false)
                            .beside(handshakes, Page.SMALL));
        }

        private static Scenario scenario(String id, String title, LoadJob load, boolean quick) {
            return Scenario.of(id, load, Page.SMALL, SERVERS, NGINX)
                    .withTitle(title)
                    .withQuick(quick);
        }

        @Override
        public boolean isMain(String scenario) {
            return !scenario.startsWith("kept");
        }

        @Override
        public List<String> why(RunResult result) {
            return new Findings(result)
                    .because("accept", SERVERS.get(1), NGINX)
                    .because("accept", SERVERS.get(1), Servers.TOMCAT)
                    .because("handshake", SERVERS.get(1), NGINX)
                    .sentences();
        }
    }
}
