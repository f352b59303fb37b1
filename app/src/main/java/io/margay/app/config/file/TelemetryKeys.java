package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.section;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Forms;
import io.margay.app.config.binding.Keys;
import io.margay.app.yaml.Shape;
import io.margay.server.telemetry.TelemetrySettings;
import java.math.BigDecimal;
import java.net.URI;
import java.util.List;

/// The keys of how a server is seen by others than its admin listener. Stateless.
final class TelemetryKeys {
    private static final Form<Double> SHARE =
            Forms.scalar(
                    Shape.text(
                            "a share, 0 to 1, such as 0.01",
                            TelemetryKeys::share,
                            List.of("number", "string")),
                    share ->
                            share == Math.rint(share)
                                    ? String.valueOf(share.longValue())
                                    : new BigDecimal(share.toString()).toPlainString());

    private static final Keys<TelemetrySettings.Sending> SENDING =
            Binding.of("what is sent besides, and how", TelemetrySettings.Sending.DEFAULT)
                    .keys(
                            """
                            protocol: OTLP over HTTP (`http/protobuf`, usually port 4318), or over
                              gRPC (usually 4317).
                            metrics [=they are not sent]: 1s at least: how often all metrics are
                              sent, those of `/metrics`.
                            logs: Sends log lines, with the trace and span of their request.
                            steps: SQL statements of pools, JSP, forwards, includes, calls of a
                              session store and WebSocket messages get spans below their request.
                            """);

    private static final Keys<TelemetrySettings> TELEMETRY =
            Binding.of("what a collector gets", TelemetrySettings.defaults())
                    .form("otlp", Forms.text("an http or https URL", TelemetryKeys::url))
                    .form("sample", SHARE)
                    .keys(
                            """
                            otlp [`OTEL_EXPORTER_OTLP_ENDPOINT`, else http://localhost:4318]: URL of
                              the collector, which speaks OTLP.
                            service <a name>: Service name shown in the collector.
                            sample: Share of traces sent: the same traces at all servers, and those
                              that a trusted parent sampled.
                            keep-slow [=they are sampled as others]: Slower requests are always
                              sent.
                            keep-failed: Failed requests (5xx, aborted, answered by another member
                              than the first) are always sent.
                            parents: Whose `traceparent` is trusted: of `forwarded` front ends, of
                              everybody, of nobody. Other requests begin a new trace, linked to
                              theirs.
                            """)
                    .part("sending", SENDING);

    static final Keys<MargayConfig.Seen> SEEN =
            Binding.of("how the server is seen", MargayConfig.Seen.DEFAULT)
                    .form("telemetry", () -> section(TELEMETRY))
                    .keys(
                            """
                            jmx: Registers MBeans under Tomcat's names: auto = once the JVM has an
                              MBean server, on = always, off = never.
                            telemetry [nothing is sent]: Traces of requests, metrics and logs for a
                              collector of OpenTelemetry, by OTLP; read at start only.
                            """);

    private TelemetryKeys() {}

    private static Object share(String text) {
        if (!text.matches("0|1|0[.][0-9]{1,9}|1[.]0{1,9}")) {
            throw new IllegalArgumentException("");
        }
        return Double.valueOf(text);
    }

    private static Object url(String text) {
        URI uri = URI.create(text);
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null) {
            throw new IllegalArgumentException("");
        }
        return text;
    }
}
