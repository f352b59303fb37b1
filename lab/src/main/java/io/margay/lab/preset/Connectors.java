package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// Tomcat's connectors and httpd with PHP: HTTP and HTTPS, with and without keep-alive (published
/// 2012).
record Connectors() implements Preset {
    private static final int CONNECTIONS = 100;
    private static final int STREAMS = 10;
    private static final String BIO = "tomcat7:bio";
    private static final String NIO = "tomcat7:nio";
    private static final String APR = "tomcat7:apr";

    private static final List<String> SERVERS =
            Servers.all(
                    List.of(BIO, NIO, APR, "httpd:php", Servers.TOMCAT),
                    Servers.MARGAY,
                    List.of("tomcat:nio2", "tomcat:virtual", "tomcat:openssl"),
                    List.of("jetty:pool", "undertow"));

    @Override
    public String name() {
        return "connectors";
    }

    @Override
    public String title() {
        return "connectors and PHP: HTTP and HTTPS, keep-alive and close";
    }

    @Override
    public Then then() {
        return new Then(
                List.of("requests/s", "HTTP", "HTTP keep-alive", "HTTPS", "HTTPS keep-alive"),
                List.of(
                        List.of("Tomcat BIO", "7341", "14809", "142", "4036"),
                        List.of("Tomcat NIO", "3816", "10257", "–", "–"),
                        List.of("Tomcat APR", "8214", "15062", "240", "11121"),
                        List.of("httpd + PHP", "8780", "15880", "236", "4056")),
                "Tomcat 7.0.26 on Windows, Apache 2.2.16 with PHP on Linux, 2012; ApacheBench,"
                        + " 100 000 requests, 100 at a time, a page that prints the date.");
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                scenario("http", "HTTP, a connection per request", false, false, false),
                scenario("http-keep", "HTTP, keep-alive", false, true, true),
                scenario(
                        "https",
                        "HTTPS, a connection and handshake per request",
                        true,
                        false,
                        false),
                scenario("https-keep", "HTTPS, keep-alive", true, true, false),
                http2("h2c", "HTTP/2 in clear text", false),
                http2("h2", "HTTP/2 over TLS", true));
    }

    /// As many requests at a time as with HTTP/1.1, on fewer connections.
    private static Scenario http2(String id, String title, boolean tls) {
        return Scenario.of(
                        id,
                        LoadJob.closed(CONNECTIONS / STREAMS, tls, true).withStreams(STREAMS),
                        Page.HEARTBEAT,
                        Servers.all(
                                List.of(Servers.TOMCAT_HTTP2),
                                Servers.MARGAY,
                                List.of("jetty:http2", "undertow", NIO, "httpd:php")),
                        Servers.TOMCAT_HTTP2)
                .withTitle(title + ", " + STREAMS + " streams on each connection")
                .withQuick(false);
    }

    private static Scenario scenario(
            String id, String title, boolean tls, boolean keepAlive, boolean quick) {
        return Scenario.of(
                        id,
                        LoadJob.closed(CONNECTIONS, tls, keepAlive),
                        Page.HEARTBEAT,
                        SERVERS,
                        Servers.TOMCAT)
                .withTitle(title)
                .withQuick(quick);
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .verdict("http", NIO, BIO, Metric.THROUGHPUT, "Published: 0.52 ×.")
                .verdict("http-keep", NIO, BIO, Metric.THROUGHPUT, "Published: 0.69 ×.")
                .verdict("http-keep", APR, BIO, Metric.THROUGHPUT, "Published: 1.02 ×.")
                .verdict("https-keep", APR, BIO, Metric.THROUGHPUT, "Published: 2.8 ×.")
                .connectionCost(
                        "http",
                        "http-keep",
                        "CPU-seconds per 10 000 that opening and closing a connection adds")
                .connectionCost(
                        "https",
                        "https-keep",
                        "CPU-seconds per 10 000 that a connection with a full handshake adds")
                .because("http-keep", NIO, BIO)
                .because("http-keep", APR, BIO)
                .because("http-keep", Servers.MARGAY.getFirst(), Servers.TOMCAT)
                .because("https-keep", APR, BIO)
                .because("https-keep", Servers.MARGAY.getFirst(), Servers.TOMCAT)
                .because("h2c", Servers.MARGAY.getFirst(), Servers.TOMCAT_HTTP2)
                .sentences();
    }
}
