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

    /// HTTP/3 beside HTTP/2 of the same servers: a small file and one of 100 KB, by streams on each
    /// connection and by connections.
    record OverQuic() implements Preset {
        private static final String MARGAY = "margay:native-http3";
        private static final String NGINX_HTTP3 = "nginx:http3";
        private static final List<String> SERVERS = List.of(MARGAY, NGINX_HTTP3);

        @Override
        public String name() {
            return "http3";
        }

        @Override
        public String title() {
            return "HTTP/3 beside HTTP/2: files, by streams and by connections";
        }

        @Override
        public List<Scenario> scenarios() {
            List<Scenario> all = new ArrayList<>();
            for (int streams : List.of(1, 100)) {
                both(all, "small", Page.SMALL, CONNECTIONS, streams);
            }
            for (int streams : List.of(1, 10)) {
                both(all, "100k", Page.LARGE, CONNECTIONS, streams);
            }
            for (int connections : List.of(100, 1_000, 5_000)) {
                both(all, "small", Page.SMALL, connections, 1);
            }
            return List.copyOf(all);
        }

        private static void both(
                List<Scenario> all, String id, Page page, int connections, int streams) {
            for (boolean quic : new boolean[] {true, false}) {
                LoadJob job = LoadJob.closed(connections, true, true);
                String name = id + '-' + connections + 'x' + streams;
                all.add(
                        Scenario.of(
                                        name + (quic ? "" : "-h2"),
                                        quic ? job.overQuic(streams) : job.withStreams(streams),
                                        page,
                                        SERVERS,
                                        NGINX_HTTP3)
                                .withTitle(
                                        "%s, HTTP/%d, %d connections of %d requests at a time"
                                                .formatted(
                                                        page.title(),
                                                        quic ? 3 : 2,
                                                        connections,
                                                        streams))
                                .withQuick(connections == CONNECTIONS && streams == 1));
            }
        }

        @Override
        public boolean isMain(String scenario) {
            return !scenario.endsWith("-h2");
        }

        @Override
        public List<String> why(RunResult result) {
            return new Findings(result).because("small-10x1", MARGAY, NGINX_HTTP3).sentences();
        }
    }
}
