package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.CollectorSink;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.Http3System;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Margay itself, with one of its transports.
///
/// @param build which Margay
/// @param dispatch on which thread servlets run, the default one unsaid; `files` for files of a
///   host and no servlets, `gzip` for these compressed, `http3` for these over HTTP/3, too
record MargayServer(Build build, String transport, String dispatch) implements Build.Server {
    private static final String DEFAULT = "inline";
    private static final String FILES = "files";
    private static final String GZIP = "gzip";
    private static final String HTTP3 = "http3";

    static List<LabServer> variants() {
        List<LabServer> all = new ArrayList<>();
        for (Build build : Build.values()) {
            for (String dispatch : List.of(DEFAULT, "pool", "virtual", FILES, GZIP)) {
                all.add(new MargayServer(build, "native", dispatch));
                all.add(new MargayServer(build, "nio", dispatch));
                if (dispatch.equals(DEFAULT)) {
                    // There a connection has a thread, on which its servlets run.
                    all.add(new MargayServer(build, "blocking", dispatch));
                }
            }
            all.add(new MargayServer(build, "native", HTTP3));
        }
        return List.copyOf(all);
    }

    @Override
    public String name() {
        return build.kind() + ":" + transport + (dispatch.equals(DEFAULT) ? "" : "-" + dispatch);
    }

    @Override
    public String title() {
        return build.title()
                + ", "
                + transport
                + switch (dispatch) {
                    case DEFAULT -> "";
                    case FILES -> ", files of a host";
                    case GZIP -> ", files of a host, compressed";
                    case HTTP3 -> ", files of a host, HTTP/3";
                    case "pool" -> ", servlets in a pool";
                    default -> ", virtual threads";
                };
    }

    @Override
    public Set<Feature> features() {
        if (dispatch.equals(FILES)) {
            return EnumSet.of(
                    Feature.HTTP, Feature.HTTPS, Feature.HTTP2, Feature.HTTP2_CLEAR, Feature.FILES);
        }
        if (dispatch.equals(GZIP)) {
            return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.GZIP);
        }
        if (dispatch.equals(HTTP3)) {
            return EnumSet.of(Feature.HTTPS, Feature.HTTP2, Feature.HTTP3, Feature.FILES);
        }
        return EnumSet.of(
                Feature.HTTP,
                Feature.HTTPS,
                Feature.HTTP2,
                Feature.HTTP2_CLEAR,
                Feature.JSP,
                Feature.SERVLET,
                Feature.WAR,
                Feature.FILES,
                Feature.AJP);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        Availability found = build.availability(here);
        return dispatch.equals(HTTP3) && found.ready() ? Http3System.availability() : found;
    }

    /// With the libraries of a system whose OpenSSL has what QUIC needs: the launcher is for those
    /// of this one.
    private List<Tier> overQuic(Setting setting) throws IOException {
        Path file =
                Files.writeString(
                        setting.folder().resolve("margay.yaml"),
                        """
                        listeners:
                          - https: 127.0.0.1:%d
                            certificates: [{cert: %s, key: %s}]
                            http3: true
                            transport: native
                            connections-per-address-max: 0
                        work: %s
                        hosts:
                          - routes: {/: {files: %s}}
                        """
                                .formatted(
                                        setting.https(),
                                        setting.certificate().pem(),
                                        setting.certificate().key(),
                                        setting.folder().resolve("work"),
                                        setting.webapps()));
        LabEnvironment here = setting.here();
        List<String> command = new ArrayList<>(Http3System.here().loader());
        command.addAll(
                List.of(
                        here.java(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-XX:+UseSerialGC"));
        command.addAll(here.javaOptions());
        command.addAll(
                List.of(
                        "-cp",
                        build.libraries(here) + "/*",
                        "io.margay.app.command.Main",
                        "run",
                        file.toString()));
        return List.of(new Tier("margay", command, Map.of(), List.of(setting.https())));
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        if (dispatch.equals(HTTP3)) {
            return overQuic(setting);
        }
        LabEnvironment here = setting.here();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                build.launcher(here),
                                "run",
                                "--http",
                                "127.0.0.1:" + setting.http(),
                                "--https",
                                "127.0.0.1:" + setting.https(),
                                "--cert",
                                setting.certificate().pem().toString(),
                                "--key",
                                setting.certificate().key().toString(),
                                "--ajp",
                                "127.0.0.1:" + setting.ajp(),
                                "--ajp-secret",
                                setting.secret(),
                                "--transport",
                                transport,
                                "--work",
                                setting.folder().resolve("work").toString()));
        if (dispatch.equals(GZIP)) {
            command.add("--compress");
        }
        if (dispatch.equals(FILES) || dispatch.equals(GZIP)) {
            command.addAll(List.of("--static", "/=" + setting.webapps()));
        } else {
            if (!dispatch.equals(DEFAULT)) {
                command.addAll(List.of("--dispatch", dispatch));
            }
            command.add(setting.webapps().toString());
        }
        return List.of(
                new Tier(
                        "margay",
                        command,
                        Build.environment(here),
                        List.of(setting.http(), setting.https(), setting.ajp())));
    }

    /// Margay with files of a host and one thing that is looked at with each request.
    ///
    /// @param build which Margay
    /// @param what that is
    record Edge(Build build, What what) implements Build.Server {
        /// What is looked at; no request of the lab is kept out by it. `COLLECTOR` stands for the
        /// address of a collector.
        enum What {
            NONE("none", "nothing looked at", ""),
            APP("app", "an application, no files of a host", ""),
            RULES(
                    "rules",
                    "rules",
                    """
                        rules:
                          - {prefix: /old, redirect: 301, target: /new}
                          - regex: '^/(a|b|c)/(.*)$'
                            when: [{value: "%{HTTP:X-None}", regex: '^.'}]
                            refuse: 403
                    """),
            ACCESS(
                    "access",
                    "access rules",
                    """
                        access: {require: [{from: [127.0.0.0/8, "::1"]}]}
                    """),
            LIMITS(
                    "limits",
                    "rate limits",
                    """
                        rate-limits:
                          - {rate: 100000000/s}
                          - {concurrent: 1000000, by: all}
                        request-sizes: [{content-max: 1MiB, fields-max: 50}]
                    """),
            SHIELD(
                    "shield",
                    "shield",
                    """
                        shield: {budget: {cost: 9s, window: 10s}, challenge: over-budget}
                    """),
            SLOW("slow", "slow requests explained", "slow: [2s, p99.9]"),
            METRICS(
                    "metrics",
                    "metrics to a collector",
                    "telemetry: {otlp: COLLECTOR, sample: 0, metrics: 10s}"),
            TRACES("traces-1", "1 % of traces", "telemetry: {otlp: COLLECTOR, sample: 0.01}"),
            ALL_TRACES("traces-100", "all traces", "telemetry: {otlp: COLLECTOR, sample: 1}");

            private static final String COLLECTOR = "COLLECTOR";

            private final String word;
            private final String title;
            private final String keys;

            What(String word, String title, String keys) {
                this.word = word;
                this.title = title;
                this.keys = keys;
            }
        }

        static List<LabServer> variants() {
            List<LabServer> all = new ArrayList<>();
            for (Build build : Build.values()) {
                for (What what : What.values()) {
                    all.add(new Edge(build, what));
                }
            }
            return List.copyOf(all);
        }

        @Override
        public String name() {
            return build.kind() + ":edge-" + what.word;
        }

        @Override
        public String title() {
            return build.title() + ", native, files of a host, " + what.title;
        }

        @Override
        public Set<Feature> features() {
            return EnumSet.of(Feature.HTTP, Feature.FILES);
        }

        @Override
        public List<Tier> prepare(Setting setting) throws IOException {
            int collector = setting.ajp();
            Path file =
                    Files.writeString(
                            setting.folder().resolve("margay.yaml"),
                            """
                            listeners:
                              - http: "127.0.0.1:%d"
                                transport: native
                                connections-per-address-max: 0
                            work: %s
                            hosts:
                              - routes: {/: {%s}}
                            %s
                            """
                                    .formatted(
                                            setting.http(),
                                            setting.folder().resolve("work"),
                                            what == What.APP
                                                    ? "app: " + setting.webapps().resolve("ROOT")
                                                    : "files: " + setting.webapps(),
                                            what.keys.replace(
                                                    What.COLLECTOR,
                                                    "\"http://127.0.0.1:" + collector + '"')));
            List<Tier> tiers = new ArrayList<>();
            if (what.keys.contains(What.COLLECTOR)) {
                tiers.add(CollectorSink.tier(setting.here(), collector));
            }
            tiers.add(
                    new Tier(
                            "margay",
                            List.of(build.launcher(setting.here()), "run", file.toString()),
                            Build.environment(setting.here()),
                            List.of(setting.http())));
            return List.copyOf(tiers);
        }
    }
}
