package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
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
}
