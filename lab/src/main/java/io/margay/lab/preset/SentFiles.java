package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Files over HTTP/1.1, in clear text and over TLS, of a host and of a web application, beside
/// nginx.
record SentFiles() implements Preset {
    private static final int CONNECTIONS = 100;

    /// Of a file that takes long, so that a short round sees its end.
    private static final int CONNECTIONS_HUGE = 10;

    private static final String NGINX = "nginx:files";

    private static final List<String> SERVERS =
            List.of(
                    NGINX,
                    "margay:native-files",
                    "margay:nio-files",
                    "margay:native",
                    "margay:nio",
                    Servers.TOMCAT);

    /// By the scenario's name.
    private static final Map<String, Page> PAGES =
            Map.of(
                    "1.5k", Page.SMALL,
                    "100k", Page.LARGE,
                    "deep", Page.DEEP,
                    "4m", Page.HUGE,
                    "304", Page.UNCHANGED);

    @Override
    public String name() {
        return "files";
    }

    @Override
    public String title() {
        return "files of a host and of a web application, small, large, deep and unchanged";
    }

    @Override
    public List<Scenario> scenarios() {
        List<Scenario> all = new ArrayList<>();
        for (boolean tls : new boolean[] {false, true}) {
            for (String id : List.of("1.5k", "100k", "deep", "4m", "304")) {
                Page page = PAGES.getOrDefault(id, Page.SMALL);
                all.add(
                        Scenario.of(
                                        id + (tls ? "-tls" : ""),
                                        LoadJob.closed(
                                                page.equals(Page.HUGE)
                                                        ? CONNECTIONS_HUGE
                                                        : CONNECTIONS,
                                                tls,
                                                true),
                                        page,
                                        SERVERS,
                                        NGINX)
                                .withTitle(page.title() + (tls ? ", HTTPS" : ", HTTP"))
                                .withQuick(!tls && !id.equals("deep")));
            }
        }
        all.add(
                Scenario.of(
                                "4m-both",
                                LoadJob.closed(CONNECTIONS_HUGE, false, true),
                                Page.HUGE,
                                List.of(NGINX, "margay:native-files", "margay:nio-files"),
                                NGINX)
                        .withTitle(Page.HUGE.title() + ", HTTP, server and clients together")
                        .withMetric(Metric.BOTH_ENDS)
                        .withQuick(false));
        return List.copyOf(all);
    }

    @Override
    public boolean isMain(String scenario) {
        return !scenario.startsWith("deep");
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .because("1.5k", "margay:native-files", NGINX)
                .because("100k", "margay:native-files", NGINX)
                .because("4m", "margay:native-files", NGINX)
                .sentences();
    }
}
