package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.CellResult;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Much is sent in and out on one CPU: a blocking connector beside NIO and native ones (published
/// 2010).
record NetworkHeavy() implements Preset {
    private static final String BIO = "tomcat7:bio";
    private static final String NIO = "tomcat7:nio";

    /// Requests that open a connection, where connections are not kept.
    private static final double OPENS = 0.5;

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
        return Scenario.of(
                        id,
                        LoadJob.closed(connections, false, true),
                        Page.TRAFFIC,
                        Servers.all(List.of(BIO, NIO, "tomcat7:apr", "tomcat:nio"), Servers.MARGAY),
                        BIO)
                .withTitle("27 KB in, 51 KB out, " + title)
                .withMetric(Metric.THROUGHPUT)
                .withQuick(quick);
    }

    @Override
    public List<String> why(RunResult result) {
        Findings findings =
                new Findings(result)
                        .verdict("few", NIO, BIO, Metric.THROUGHPUT, "Published: 2.5 to 3 ×.")
                        .verdict("many", NIO, BIO, Metric.THROUGHPUT, "Published: 2.5 to 3 ×.")
                        .verdict("few", "margay:nio", "margay:blocking", Metric.THROUGHPUT, "")
                        .verdict("many", "margay:nio", "margay:blocking", Metric.THROUGHPUT, "")
                        .because("few", NIO, BIO)
                        .because("many", NIO, BIO)
                        .because("few", Servers.MARGAY.getFirst(), "tomcat:nio")
                        .because("few", "margay:blocking", Servers.MARGAY.getFirst())
                        .kernelShare("few");
        threads(findings);
        return findings.sentences();
    }

    /// What a thread per connection comes to when connections outnumber threads.
    private static void threads(Findings findings) {
        Optional<CellResult> bio = findings.cell("many", BIO);
        Optional<CellResult> nio = findings.cell("many", NIO);
        Optional<CellResult> few = findings.cell("few", BIO);
        if (bio.isEmpty() || nio.isEmpty() || few.isEmpty()) {
            return;
        }
        double opened = opened(bio.get());
        findings.say(
                String.format(
                        Locale.ROOT,
                        "The blocking connector has a thread per connection and 200 of them. With"
                                + " 100 connections clients opened %.2f connections per request to"
                                + " it, with 1000 %.2f (NIO: %.2f), and 99 %% of the answers came"
                                + " within %.0f ms (NIO: %.0f ms).",
                        opened(few.get()),
                        opened,
                        opened(nio.get()),
                        bio.get().latency().percentileMillis(99),
                        nio.get().latency().percentileMillis(99)));
        if (opened > OPENS) {
            findings.say(
                    "So where connections outnumber threads it does not keep them: each request"
                            + " pays for a connection, which NIO's need not. That depends on the"
                            + " number of users more than on how much they carry.");
        }
    }

    private static double opened(CellResult cell) {
        return cell.median(round -> (double) round.load().opened() / round.load().requests());
    }
}
