package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;

/// A page of text that is compressed for each answer, beside nginx, httpd and Tomcat with what they
/// have for it: what it costs, and how much it saves of the line.
record Compressed() implements Preset {
    private static final int CONNECTIONS = 20;
    private static final String NGINX = "nginx:gzip";
    private static final String GZIP = "gzip";

    private static final List<String> SERVERS =
            List.of(NGINX, "httpd:gzip", "margay:native-gzip", "margay:nio-gzip", "tomcat:gzip");

    private static final List<String> PLAIN_SERVERS =
            List.of(
                    "nginx:files",
                    "httpd:files",
                    "margay:native-files",
                    "margay:nio-files",
                    Servers.TOMCAT);

    @Override
    public String name() {
        return "compression";
    }

    @Override
    public String title() {
        return "a page of text, compressed by gzip and as it is";
    }

    @Override
    public List<Scenario> scenarios() {
        LoadJob load = LoadJob.closed(CONNECTIONS, false, true);
        List<Scenario> all = new ArrayList<>();
        all.add(Scenario.of(GZIP, load, Page.TEXT_GZIP, SERVERS, NGINX));
        all.add(
                Scenario.of("plain", load, Page.TEXT, PLAIN_SERVERS, PLAIN_SERVERS.getFirst())
                        .withQuick(false));
        return List.copyOf(all);
    }

    @Override
    public boolean isMain(String scenario) {
        return true;
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .bytes(GZIP)
                .bytes("plain")
                .because(GZIP, "margay:native-gzip", NGINX)
                .sentences();
    }

    /// What a host looks at before it sends a small file, and what is told of it, and what that
    /// costs; and a page of text, compressed and as it is.
    record Edge() implements Preset {
        private static final String NONE = "margay:edge-none";

        @Override
        public String name() {
            return "edge";
        }

        @Override
        public String title() {
            return "rules, access rules, limits, a shield, explanations of slow requests, metrics,"
                    + " traces and compression: CPU per request";
        }

        @Override
        public List<Scenario> scenarios() {
            LoadJob load = LoadJob.closed(CONNECTIONS, false, true);
            return List.of(
                    Scenario.of(
                            "small",
                            load,
                            Page.SMALL,
                            List.of(
                                    NONE,
                                    "margay:edge-rules",
                                    "margay:edge-access",
                                    "margay:edge-limits",
                                    "margay:edge-shield"),
                            NONE),
                    Scenario.of(
                            "watched",
                            load,
                            Page.SMALL,
                            List.of(
                                    NONE,
                                    "margay:edge-slow",
                                    "margay:edge-metrics",
                                    "margay:edge-traces-1",
                                    "margay:edge-traces-100"),
                            NONE),
                    Scenario.of(
                            "text",
                            load,
                            Page.TEXT,
                            List.of("margay:native-files"),
                            "margay:native-files"),
                    Scenario.of(
                            "compressed",
                            load,
                            Page.TEXT_GZIP,
                            List.of("margay:native-gzip"),
                            "margay:native-gzip"));
        }
    }
}
