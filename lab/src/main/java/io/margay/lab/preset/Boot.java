package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The same application of Spring Boot 4 on each of its servers, and, on Spring Boot 3.5, on the
/// one that it no longer has: what a request costs, how long a start takes, what memory is held.
record Boot() implements Preset {
    private static final String MARGAY = "boot:margay";
    private static final String TOMCAT = "boot:tomcat";
    private static final List<String> SERVERS =
            List.of(TOMCAT, MARGAY, "boot:jetty", "boot:undertow");

    /// What the JVM chooses by itself in a container with one processor and 1 GiB.
    private static final List<String> JAVA_OPTIONS =
            List.of("-Xms16m", "-Xmx256m", "-XX:+UseSerialGC");

    private static final int CONNECTIONS = 50;

    /// Enough for the JVM to compile what a request needs, and to collect garbage many times.
    private static final long REQUESTS = 30_000;

    private static final long LOAD_MILLIS_MAX = 120_000;

    /// What Margay is to need at most, of what Tomcat needs.
    private static final double CPU_MOST = 0.6;

    private static final double START_MOST = 0.9;
    private static final double MEMORY_MOST = 0.7;

    private static final String JSON = "json";
    private static final String PAGE = "page";
    private static final String START = "start";
    private static final String MEMORY = "memory";
    private static final String IDLE = "idle";
    private static final String RESTED = "rested";

    /// The JVM hands memory that its compilers have freed to the C library every five seconds.
    private static final Duration REST = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "boot";
    }

    @Override
    public String title() {
        return "the same Spring Boot application on each server, with the heap of a container of"
                + " 1 GiB (-Xms16m -Xmx256m)";
    }

    @Override
    public Optional<List<String>> javaOptions() {
        return Optional.of(JAVA_OPTIONS);
    }

    @Override
    public List<Scenario> scenarios() {
        LoadJob closed = LoadJob.closed(CONNECTIONS, false, true);
        LoadJob one = LoadJob.closed(1, false, true);
        LoadJob many = closed.lasting(REQUESTS, 0, LOAD_MILLIS_MAX);
        return List.of(
                scenario(JSON, "an order as JSON", closed, Page.BOOT_JSON, Metric.CPU),
                scenario(PAGE, "an order as a page", closed, Page.BOOT_PAGE, Metric.CPU),
                scenario(
                        START,
                        "from the start of the process to the first answer",
                        one,
                        Page.BOOT_JSON,
                        Metric.START),
                scenario(
                        MEMORY,
                        "memory after 30 000 requests",
                        many,
                        Page.BOOT_JSON,
                        Metric.MEMORY),
                rested(
                        IDLE,
                        "memory 10 s after the first answers",
                        one.lasting(1, 0, LOAD_MILLIS_MAX)),
                rested(RESTED, "memory 10 s after 30 000 requests", many));
    }

    /// Of the two servers that are compared.
    private static Scenario rested(String id, String title, LoadJob load) {
        return scenario(id, title, load, Page.BOOT_JSON, Metric.MEMORY)
                .with(List.of(TOMCAT, MARGAY))
                .withRest(REST);
    }

    private static Scenario scenario(
            String id, String title, LoadJob load, Page page, Metric metric) {
        boolean quick = id.equals(JSON) || id.equals(START);
        return Scenario.of(id, load, page, SERVERS, TOMCAT)
                .withTitle(title)
                .withMetric(metric)
                .withQuick(quick);
    }

    @Override
    public String whyTitle() {
        return "Targets";
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .target(JSON, MARGAY, TOMCAT, "CPU per request", Metric.CPU, CPU_MOST)
                .target(PAGE, MARGAY, TOMCAT, "CPU per request", Metric.CPU, CPU_MOST)
                .target(START, MARGAY, TOMCAT, "time to the first answer", Metric.START, START_MOST)
                .target(START, MARGAY, TOMCAT, "CPU of the start", Metric.CPU, START_MOST)
                .target(START, MARGAY, TOMCAT, "memory when idle", Metric.MEMORY, MEMORY_MOST)
                .target(MEMORY, MARGAY, TOMCAT, "memory after load", Metric.MEMORY, MEMORY_MOST)
                .target(IDLE, MARGAY, TOMCAT, "memory at rest", Metric.MEMORY, MEMORY_MOST)
                .target(
                        RESTED,
                        MARGAY,
                        TOMCAT,
                        "memory at rest after load",
                        Metric.MEMORY,
                        MEMORY_MOST)
                .sentences();
    }
}
