package io.margay.telemetry.otel;

import java.lang.StackWalker.Option;
import java.util.logging.Filter;
import java.util.logging.Logger;

/// Keeps the SDK's exporter from saying by lines of its own what [SpanGate] tells once. An exporter
/// that an application brings has the same logger, and is heard. Stateless.
final class ExporterLog {
    private static final String PACKAGE = "io.opentelemetry.exporter.";

    /// Held, since loggers are forgotten that nobody has.
    private static final Logger EXPORTER = Logger.getLogger(PACKAGE + "otlp.internal.HttpExporter");

    private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    private ExporterLog() {}

    static void mute() {
        if (EXPORTER.getFilter() == null) {
            Filter others = _ -> !isOurs();
            EXPORTER.setFilter(others);
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
