package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;
import java.util.Optional;

/// Whole sites with what people switch on, on Margay alone and on the servers that they would
/// otherwise take: what a request costs of all processes, how late answers come at an equal rate.
record SiteVisits() implements Preset {
    private static final String SHOP = "shop:margay";
    private static final String TOMCAT = "shop:tomcat";
    private static final String NGINX = "shop:nginx/shop:tomcat-behind";
    private static final String HTTPD = "shop:httpd/shop:tomcat-behind";
    private static final List<String> SHOPS = List.of(NGINX, HTTPD, TOMCAT, SHOP);

    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 5;
    private static final double PER_SECOND = 300;

    /// What Margay is to need at most, of what nginx and Tomcat need.
    private static final double NGINX_MOST = 0.5;

    /// Of what httpd with mod_jk and Tomcat need.
    private static final double HTTPD_MOST = 0.35;

    private static final String MEMBERS = "/" + Servers.TOMCAT + "*2";
    private static final String FRONT = "hosts:margay" + MEMBERS;
    private static final String FRONT_NGINX = "hosts:nginx" + MEMBERS;
    private static final List<String> FRONTS =
            List.of(FRONT_NGINX, "hosts:haproxy" + MEMBERS, "hosts:httpd" + MEMBERS, FRONT);
    private static final int FRONT_CONNECTIONS = 50;

    private static final String HOSTS = "hosts";
    private static final String VISITS = "shop";
    private static final String RATE = "shop-rate";

    @Override
    public String name() {
        return "site";
    }

    @Override
    public String title() {
        return "a shop with TLS, HTTP/2, access log, gzip, sessions, login by a form, files and"
                + " PostgreSQL; a front end with 50 hosts, rules and rate limits";
    }

    @Override
    public Optional<List<String>> javaOptions() {
        return Optional.of(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    }

    @Override
    public List<Scenario> scenarios() {
        LoadJob visits = LoadJob.closed(CONNECTIONS, true, true).withStreams(STREAMS);
        LoadJob rate = LoadJob.rate(PER_SECOND, CONNECTIONS, true, true).withStreams(STREAMS);
        return List.of(
                Scenario.of(VISITS, visits, Page.SHOP, SHOPS, NGINX),
                Scenario.of(RATE, rate, Page.SHOP, SHOPS, NGINX).withQuick(false),
                Scenario.of(
                                HOSTS,
                                LoadJob.closed(FRONT_CONNECTIONS, true, true),
                                Page.HOSTS,
                                FRONTS,
                                FRONT_NGINX)
                        .withMetric(Metric.FRONT));
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .target(VISITS, SHOP, NGINX, "CPU", Metric.CPU, NGINX_MOST)
                .target(VISITS, SHOP, HTTPD, "CPU", Metric.CPU, HTTPD_MOST)
                .latency(RATE)
                .memory(VISITS)
                .because(VISITS, SHOP, NGINX)
                .frontTarget(HOSTS, FRONT, FRONT_NGINX, 1)
                .latency(HOSTS)
                .memory(HOSTS)
                .sentences();
    }
}
