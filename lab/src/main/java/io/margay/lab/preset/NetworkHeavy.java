package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;

/// Much is sent in and out on one CPU: a blocking connector beside NIO and native ones (published
/// 2010).
record NetworkHeavy() implements Preset {
    private static final String BIO = "tomcat7:bio";
    private static final String NIO = "tomcat7:nio";

    @Override
    public String name() {
        return "network-heavy";
    }

    @Override
    public String title() {
        return "requests that carry much both ways: blocking, NIO and native on one CPU";
    }

    @Override
    public Then then() {
        return new Then(
                List.of("compared", "peak throughput"),
                List.of(List.of("NIO over the default (blocking) connector", "+150 % to +200 %")),
                "tc Server 2.0 (Tomcat 6.0.24), one CPU, native and virtual, 2010; Olio: 85 Mbit/s"
                        + " received, 161 Mbit/s sent.");
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                scenario("few", "100 connections", 100, true),
                scenario("many", "1000 connections", 1000, false));
    }

    private static Scenario scenario(String id, String title, int connections, boolean quick) {
        return new Scenario(
                id,
                "27 KB in, 51 KB out, " + title,
                LoadJob.closed(connections, false, true),
                Page.TRAFFIC,
                Servers.all(List.of(BIO, NIO, "tomcat7:apr", "tomcat:nio"), Servers.MARGAY),
                BIO,
                Metric.THROUGHPUT,
                quick);
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .verdict("few", NIO, BIO, Metric.THROUGHPUT, "Published: 2.5 to 3 ×.")
                .verdict("many", NIO, BIO, Metric.THROUGHPUT, "Published: 2.5 to 3 ×.")
                .verdict("few", "margay:nio", "margay:blocking", Metric.THROUGHPUT, "")
                .verdict("many", "margay:nio", "margay:blocking", Metric.THROUGHPUT, "")
                .kernelShare("few")
                .waits("few")
                .systemCalls("few")
                .waits("many")
                .sentences();
    }
}
