package io.margay.telemetry.otel;

import java.lang.StackWalker.Option;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.Logger;

/// Keeps the SDK's exporters from saying by lines of their own what [Delivery] tells once. An
/// exporter that an application brings has the same logger, and is heard. Stateless.
final class ExporterLog {
    private static final String PACKAGE = "io.opentelemetry.exporter.";

    /// Held, since loggers are forgotten that nobody has.
    private static final List<Logger> EXPORTERS =
            List.of(
                    Logger.getLogger(PACKAGE + "otlp.internal.HttpExporter"),
                    Logger.getLogger(PACKAGE + "otlp.internal.GrpcExporter"));

    private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    private ExporterLog() {}

    static void mute() {
        Filter others = _ -> !isOurs();
        for (Logger exporter : EXPORTERS) {
            if (exporter.getFilter() == null) {
                exporter.setFilter(others);
            }
        }
    }

    private static boolean isOurs() {
        ClassLoader own = ExporterLog.class.getClassLoader();
        return STACK.walk(frames ->
                frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(one -> one.getName().startsWith(PACKAGE))
                        .findFirst()
                        .map(one -> own.equals(one.getClassLoader()))
                        .orElse(false));
    }
}
