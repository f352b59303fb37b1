package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.time.Duration;
import java.util.List;

/// What a front end takes of the processor at 400 requests a second, as the first of the published
/// comparisons had them: two minutes from a fresh start, and warm.
record FreshStart() implements Preset {
    private static final double PER_SECOND = 400;
    private static final int CONNECTIONS = 50;

    /// At so few requests a second a round must be long to use enough of the clock's ticks.
    private static final long ROUND_MILLIS = 24_000;

    /// With it, the middle of a round is two minutes from the start.
    private static final Duration LEAD = Duration.ofSeconds(108);

    private static final String FRESH = "fresh";
    private static final String WARM = "warm";

    /// Of what httpd with mod_jk needs, as Debian has it, two minutes from a fresh start.
    private static final double FRESH_MOST = 0.6;

    /// Of what nginx needs.
    private static final double WARM_MOST = 1.1;

    @Override
    public String name() {
        return "fresh-start";
    }

    @Override
    public String title() {
        return "front ends at 400 requests/s: two minutes from a fresh start, and warm";
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                scenario(FRESH, "two minutes from a fresh start", Servers.JK_DEBIAN).withLead(LEAD),
                scenario(WARM, "warm", Servers.NGINX));
    }

    private static Scenario scenario(String id, String title, String reference) {
        return Scenario.of(
                        id,
                        LoadJob.rate(PER_SECOND, CONNECTIONS, false, true)
                                .lasting(0, ROUND_MILLIS, 0),
                        Page.SERVLET,
                        List.of(
                                Servers.JK_DEBIAN,
                                Servers.NGINX,
                                Servers.GATEWAY_HTTP,
                                Servers.GATEWAY_AJP,
                                Servers.HAPROXY),
                        reference)
                .withTitle(title)
                .withMetric(Metric.FRONT)
                .withQuick(id.equals(WARM));
    }

    @Override
    public String whyTitle() {
        return "Targets";
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .frontTarget(FRESH, Servers.GATEWAY_HTTP, Servers.JK_DEBIAN, FRESH_MOST)
                .frontTarget(FRESH, Servers.GATEWAY_AJP, Servers.JK_DEBIAN, FRESH_MOST)
                .frontTarget(WARM, Servers.GATEWAY_HTTP, Servers.NGINX, WARM_MOST)
                .frontTarget(WARM, Servers.GATEWAY_AJP, Servers.NGINX, WARM_MOST)
                .frontCost(FRESH)
                .frontCost(WARM)
                .sentences();
    }
}
