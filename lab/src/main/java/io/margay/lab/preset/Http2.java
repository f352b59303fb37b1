package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;

/// Servers over HTTP/2, in clear text and over TLS: a small file, one of 100 KB and a servlet's
/// page, with one stream and with many on each of ten connections.
record Http2() implements Preset {
    private static final int CONNECTIONS = 10;
    private static final String NGINX = "nginx:http2";

    private static final List<String> CONTAINERS =
            Servers.all(List.of(Servers.TOMCAT_HTTP2), Servers.MARGAY, List.of("jetty:http2"));

    @Override
    public String name() {
        return "http2";
    }

    @Override
    public String title() {
        return "HTTP/2: files and a servlet's page, by streams on each connection";
    }

    @Override
    public List<Scenario> scenarios() {
        List<Scenario> all = new ArrayList<>();
        for (boolean tls : new boolean[] {false, true}) {
            for (int streams : List.of(1, 100)) {
                all.add(scenario("small", Page.SMALL, tls, streams));
                all.add(scenario("servlet", Page.SERVLET, tls, streams));
            }
            for (int streams : List.of(1, 10, 100)) {
                all.add(scenario("100k", Page.LARGE, tls, streams));
            }
        }
        return List.copyOf(all);
    }

    private static Scenario scenario(String id, Page page, boolean tls, int streams) {
        return Scenario.of(
                        id + "-" + streams + (tls ? "-tls" : ""),
                        LoadJob.closed(CONNECTIONS, tls, true).withStreams(streams),
                        page,
                        page.equals(Page.SERVLET)
                                ? CONTAINERS
                                : Servers.all(CONTAINERS, List.of(NGINX, "h2o")),
                        Servers.TOMCAT_HTTP2)
                .withTitle(
                        page.title()
                                + ", "
                                + (tls ? "TLS" : "clear text")
                                + ", "
                                + (streams == 1 ? "1 stream" : streams + " streams")
                                + " on each connection")
                .withQuick(streams == 100 && !tls);
    }

    @Override
    public boolean isMain(String scenario) {
        return scenario.contains("-100");
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .because("small-100", Servers.MARGAY.getFirst(), "h2o")
                .because("100k-100-tls", Servers.MARGAY.getFirst(), "h2o")
                .kernelShare("100k-100")
                .sentences();
    }
}
