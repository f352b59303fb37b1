package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.time.Duration;
import java.util.List;

/// What a front end itself takes of the processor, before one Tomcat: by the protocols of clients
/// and of the server behind, with short and long answers and uploads; and how late answers come at
/// an equal rate.
record Fronts() implements Preset {
    private static final int CONNECTIONS = 100;
    private static final int STREAMS = 10;
    private static final double PER_SECOND = 4000;

    private static final String HTTP2 = "gateway:h2c/" + Servers.TOMCAT_HTTP2;
    private static final String PROXY_HTTP2 = "haproxy:h2/" + Servers.TOMCAT_HTTP2;

    /// Of what nginx needs.
    private static final double HTTP_MOST = 0.8;

    /// Of what httpd with mod_jk needs, as Debian has it.
    private static final double AJP_MOST = 0.18;

    @Override
    public String name() {
        return "fronts";
    }

    @Override
    public String title() {
        return "front ends alone: their CPU per request before one Tomcat";
    }

    @Override
    public List<Scenario> scenarios() {
        LoadJob plain = LoadJob.closed(CONNECTIONS, false, true);
        LoadJob tls = LoadJob.closed(CONNECTIONS, true, true);
        LoadJob http2 = LoadJob.closed(STREAMS, true, true).withStreams(STREAMS);
        List<String> all =
                List.of(
                        Servers.NGINX,
                        Servers.HAPROXY,
                        Servers.GATEWAY_HTTP,
                        Servers.GATEWAY_AJP,
                        Servers.JK,
                        Servers.JK_DEBIAN);
        List<String> others =
                List.of(Servers.NGINX, Servers.HAPROXY, Servers.GATEWAY_HTTP, Servers.GATEWAY_AJP);
        return List.of(
                scenario("http", "a short answer, HTTP", plain, Page.SERVLET, all),
                scenario("https", "a short answer, HTTPS", tls, Page.SERVLET, others),
                scenario("h2", "a short answer, HTTP/2 over TLS", http2, Page.SERVLET, others),
                scenario(
                        "h2-behind",
                        "a short answer, HTTP/2 to the server behind",
                        plain,
                        Page.SERVLET,
                        List.of(PROXY_HTTP2, HTTP2)),
                scenario("large", "an answer of 100 KB", plain, Page.LARGE, others),
                scenario("upload", "1 MiB to the server behind", plain, Page.UPLOAD, others),
                scenario(
                        "rate",
                        "a short answer, %.0f requests/s".formatted(PER_SECOND),
                        LoadJob.rate(PER_SECOND, CONNECTIONS, false, true),
                        Page.SERVLET,
                        others));
    }

    private static Scenario scenario(
            String id, String title, LoadJob load, Page page, List<String> servers) {
        return Scenario.of(id, load, page, servers, servers.getFirst())
                .withTitle(title)
                .withMetric(Metric.FRONT)
                .withQuick(id.equals("http"));
    }

    @Override
    public List<String> why(RunResult result) {
        Findings findings =
                new Findings(result)
                        .frontTarget("http", Servers.GATEWAY_HTTP, Servers.NGINX, HTTP_MOST)
                        .frontTarget("http", Servers.GATEWAY_AJP, Servers.JK_DEBIAN, AJP_MOST);
        for (String scenario : List.of("https", "h2", "large", "upload")) {
            findings.frontTarget(scenario, Servers.GATEWAY_HTTP, Servers.NGINX, 1)
                    .frontTarget(scenario, Servers.GATEWAY_HTTP, Servers.HAPROXY, 1);
        }
        scenarios().forEach(it -> findings.frontCost(it.id()));
        return findings.frontTarget("h2-behind", HTTP2, PROXY_HTTP2, 1)
                .latency("rate")
                .because("http", Servers.GATEWAY_HTTP, Servers.NGINX)
                .because("http", Servers.GATEWAY_AJP, Servers.JK)
                .sentences();
    }

    /// What a front end takes of the processor at 400 requests a second, as the first of the
    /// published comparisons had them: two minutes from a fresh start, and warm.
    record FreshStart() implements Preset {
        private static final double PER_SECOND = 400;
        private static final int KEPT = 50;

        /// At so few requests a second a round must be long to use enough of the clock's ticks.
        private static final long ROUND_MILLIS = 24_000;

        /// With it, the middle of a round is two minutes from the start.
        private static final Duration LEAD = Duration.ofSeconds(108);

        private static final String FRESH = "fresh";
        private static final String WARM = "warm";

        /// Of what httpd with mod_jk needs, as Debian has it, two minutes from a fresh start.
        private static final double FRESH_MOST = 0.6;

        /// Of what nginx needs.
        private static final double WARM_MOST = 1.1;

        @Override
        public String name() {
            return "fresh-start";
        }

        @Override
        public String title() {
            return "front ends at 400 requests/s: two minutes from a fresh start, and warm";
        }

        @Override
        public List<Scenario> scenarios() {
            return List.of(
                    scenario(FRESH, "two minutes from a fresh start", Servers.JK_DEBIAN)
                            .withLead(LEAD),
                    scenario(WARM, "warm", Servers.NGINX));
        }

        private static Scenario scenario(String id, String title, String reference) {
            return Scenario.of(
                            id,
                            LoadJob.rate(PER_SECOND, KEPT, false, true).lasting(0, ROUND_MILLIS, 0),
                            Page.SERVLET,
                            List.of(
                                    Servers.JK_DEBIAN,
                                    Servers.NGINX,
                                    Servers.GATEWAY_HTTP,
                                    Servers.GATEWAY_AJP,
                                    Servers.HAPROXY),
                            reference)
                    .withTitle(title)
                    .withMetric(Metric.FRONT)
                    .withQuick(id.equals(WARM));
        }

        @Override
        public String whyTitle() {
            return "Targets";
        }

        @Override
        public List<String> why(RunResult result) {
            return new Findings(result)
                    .frontTarget(FRESH, Servers.GATEWAY_HTTP, Servers.JK_DEBIAN, FRESH_MOST)
                    .frontTarget(FRESH, Servers.GATEWAY_AJP, Servers.JK_DEBIAN, FRESH_MOST)
                    .frontTarget(WARM, Servers.GATEWAY_HTTP, Servers.NGINX, WARM_MOST)
                    .frontTarget(WARM, Servers.GATEWAY_AJP, Servers.NGINX, WARM_MOST)
                    .frontCost(FRESH)
                    .frontCost(WARM)
                    .sentences();
        }
    }
}
