package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import java.util.ArrayList;
import java.util.List;

/// This Margay beside another commit or checkout of it: each kind of request on each transport, the
/// two interleaved. What it means is said by a table of its own.
///
/// @param all whether every kind is measured on every transport, or one transport for most
record BeforeAfter(String name, boolean all) implements Preset {
    private static final int CONNECTIONS = 100;
    private static final int STREAMS = 10;
    private static final List<String> TRANSPORTS = List.of("native", "nio", "blocking");

    static List<Preset> variants() {
        return List.of(new BeforeAfter("ab", true), new BeforeAfter("ab-short", false));
    }

    @Override
    public String title() {
        return "this Margay beside another commit (--before COMMIT)"
                + (all ? "" : ", on fewer transports");
    }

    /// By transport, so that the servers of one row serve the next.
    @Override
    public List<Scenario> scenarios() {
        List<Scenario> scenarios = new ArrayList<>();
        for (String transport : TRANSPORTS) {
            boolean first = transport.equals(TRANSPORTS.getFirst());
            LoadJob http = LoadJob.closed(CONNECTIONS, false, true);
            LoadJob streams = LoadJob.closed(CONNECTIONS / STREAMS, false, true);
            scenarios.add(
                    row("heartbeat", "heartbeat servlet, HTTP/1.1", transport, http, Page.SERVLET));
            if (all || first) {
                scenarios.add(
                        row(
                                "tls",
                                "heartbeat servlet, HTTPS",
                                transport,
                                LoadJob.closed(CONNECTIONS, true, true),
                                Page.SERVLET));
                scenarios.add(row("file", "file of 1.5 KB", transport, http, Page.SMALL));
                scenarios.add(row("file-100k", "file of 100 KB", transport, http, Page.LARGE));
                scenarios.add(
                        row(
                                "http2",
                                "heartbeat servlet, HTTP/2",
                                transport,
                                streams.withStreams(STREAMS),
                                Page.SERVLET));
                scenarios.add(
                        row("post", "POST, 27 KB in, 51 KB out", transport, http, Page.TRAFFIC));
            }
        }
        for (String transport : all ? List.of("native", "nio") : List.of("native")) {
            scenarios.add(gateway("http", "HTTP", transport));
            scenarios.add(gateway("ajp", "AJP", transport));
        }
        scenarios.add(gateway("http", "HTTP, with rules", "native-ruled"));
        return List.copyOf(scenarios);
    }

    private static Scenario row(
            String id, String title, String transport, LoadJob load, Page page) {
        return compared(
                id + "-" + transport,
                title + ", " + transport,
                load,
                page,
                "before:" + transport,
                "margay:" + transport);
    }

    /// Both before the same back end, the one from before.
    private static Scenario gateway(String protocol, String title, String transport) {
        String own = ":" + protocol + "-" + transport + "/before:native";
        return compared(
                "gateway-" + protocol + "-" + transport,
                "gateway to " + title + ", " + transport,
                LoadJob.closed(CONNECTIONS, false, true),
                Page.SERVLET,
                "before-gateway" + own,
                "gateway" + own);
    }

    private static Scenario compared(
            String id, String title, LoadJob load, Page page, String before, String after) {
        return Scenario.of(id, load, page, List.of(before, after), before).withTitle(title);
    }

    @Override
    public boolean comparesBuilds() {
        return true;
    }
}
