package io.margay.telemetry.otel;

import io.margay.server.steps.Steps;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.LoggerProvider;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.context.Context;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.ErrorManager;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/// Gives the lines of the process's log to a collector: of each its time, level, logger, message
/// and exception, and the span of the request on whose thread it was written. Thread-safe; never
/// waits.
final class LogAppender extends Handler {
    /// Characters of a message, or of a stack, that are sent.
    static final int TEXT_CHARS_MAX = 16_384;

    /// The same once this part of the lines that may wait do.
    static final int CROWDED_CHARS_MAX = 1_024;

    private static final int CROWDED = 8;

    /// Names of loggers that are told; those of more are not.
    static final int NAMES_MAX = 4_096;

    private static final String OF_SDK = "io.opentelemetry.";
    private static final AttributeKey<Long> THREAD = AttributeKey.longKey("thread.id");
    private static final AttributeKey<String> TYPE = AttributeKey.stringKey("exception.type");
    private static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("exception.message");
    private static final AttributeKey<String> STACK =
            AttributeKey.stringKey("exception.stacktrace");

    /// Held, since loggers are forgotten that nobody has.
    private final Logger root = Logger.getLogger("");

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Formatter messages = new SimpleFormatter();
    private final LoggerProvider to;
    private final Delivery delivery;
    private final int waitingMax;

    /// @param waitingMax lines that wait for the collector
    LogAppender(LoggerProvider to, Delivery delivery, int waitingMax) {
        this.to = to;
        this.delivery = delivery;
        this.waitingMax = waitingMax;
    }

    /// Takes lines from now on.
    void begin() {
        root.addHandler(this);
    }

    /// The collector gets no more.
    @Override
    public void close() {
        root.removeHandler(this);
    }

    @Override
    public void publish(@Nullable LogRecord line) {
        String logger = line == null ? null : line.getLoggerName();
        // What sends the lines must not write further ones by that.
        if (line == null
                || !isLoggable(line)
                || (logger != null && logger.startsWith(OF_SDK))
                || !delivery.enter(waitingMax)) {
            return;
        }
        try {
            emit(line, logger);
        } catch (RuntimeException | StackOverflowError e) {
            // Messages and exceptions are code of applications.
            delivery.leave();
            Exception why = e instanceof Exception known ? known : null;
            reportError("a line cannot be sent", why, ErrorManager.FORMAT_FAILURE);
        }
    }

    private void emit(LogRecord line, @Nullable String logger) {
        int most = delivery.waits(waitingMax / CROWDED) ? CROWDED_CHARS_MAX : TEXT_CHARS_MAX;
        LogRecordBuilder builder =
                to.get(scope(logger))
                        .logRecordBuilder()
                        .setTimestamp(line.getInstant())
                        .setSeverity(severity(line.getLevel()))
                        .setSeverityText(line.getLevel().getName())
                        .setBody(cut(messages.formatMessage(line), most))
                        .setAttribute(THREAD, line.getLongThreadID());
        Throwable thrown = line.getThrown();
        if (thrown != null) {
            builder.setAttribute(TYPE, thrown.getClass().getName());
            builder.setAttribute(STACK, stack(thrown, most));
            String message = thrown.getMessage();
            if (message != null) {
                builder.setAttribute(MESSAGE, cut(message, most));
            }
        }
        builder.setContext(
                        Steps.current() instanceof SpanParent parent
                                ? parent.context()
                                : Context.root())
                .emit();
    }

    /// The SDK forgets no name.
    private String scope(@Nullable String logger) {
        if (logger == null) {
            return "";
        }
        boolean told = names.contains(logger) || (names.size() < NAMES_MAX && names.add(logger));
        return told ? logger : "";
    }

    private static String stack(Throwable thrown, int most) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return cut(text.toString(), most);
    }

    private static String cut(String text, int most) {
        return text.length() > most ? text.substring(0, most) : text;
    }

    /// By the OpenTelemetry data model of logs, in its appendix on java.util.logging.
    private static Severity severity(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return Severity.ERROR;
        }
        if (value >= Level.WARNING.intValue()) {
            return Severity.WARN;
        }
        if (value >= Level.INFO.intValue()) {
            return Severity.INFO;
        }
        if (value >= Level.CONFIG.intValue()) {
            return Severity.DEBUG2;
        }
        return value >= Level.FINE.intValue() ? Severity.DEBUG : Severity.TRACE;
    }

    @Override
    public void flush() {}
}
