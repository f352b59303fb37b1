package io.margay.server.log;

import io.margay.server.exchange.Exchange;
import io.margay.server.timing.RequestPhase;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Durations in lines of the access log: of a request, of one of its [phases][RequestPhase], and up
/// to the first byte of the response. Stateless.
final class LogDurations {
    private LogDurations() {}

    /// `%{UNIT}T` for the whole request, `%{PHASE}T` and `%{PHASE:UNIT}T` for a phase, in
    /// microseconds where no unit is given.
    ///
    /// @param offset of the argument, for what is wrong with it
    static Consumer<LogLine> of(String argument, int offset) {
        int colon = argument.indexOf(':');
        String name = colon < 0 ? argument : argument.substring(0, colon);
        for (RequestPhase phase : RequestPhase.values()) {
            if (phase.label().equals(name)) {
                String unit = colon < 0 ? "us" : argument.substring(colon + 1);
                return in(
                        unit,
                        line -> TimeUnit.MICROSECONDS.toNanos(line.exchange.micros(phase)),
                        offset);
            }
        }
        return in(argument, line -> line.tookNanos, offset);
    }

    /// `%^FB` and `%{UNIT}^FB`: from the request's head to that of the response; `-` where none was
    /// sent.
    static Consumer<LogLine> firstByte(@Nullable String unit, int offset) {
        return in(unit == null ? "us" : unit, line -> line.exchange.headMicros() * 1000L, offset);
    }

    /// nginx's times of the member that was asked, seconds: of all attempts together; `-` where
    /// none was asked.
    ///
    /// @return null = it has no time of that name
    static @Nullable Consumer<LogLine> ofMember(String name) {
        return switch (name) {
            case "UPSTREAM_CONNECT_TIME" -> ofMember(line -> connected(line.exchange));
            case "UPSTREAM_HEADER_TIME" -> ofMember(line -> answered(line.exchange));
            case "UPSTREAM_RESPONSE_TIME" ->
                    ofMember(line -> answered(line.exchange) + afterHead(line));
            default -> null;
        };
    }

    private static Consumer<LogLine> ofMember(ToLongFunction<LogLine> micros) {
        return seconds(
                line ->
                        line.exchange.relay() == null
                                ? -1
                                : TimeUnit.MICROSECONDS.toNanos(micros.applyAsLong(line)),
                1_000_000,
                3);
    }

    private static long connected(Exchange exchange) {
        return exchange.micros(RequestPhase.CONNECT);
    }

    private static long answered(Exchange exchange) {
        return connected(exchange)
                + exchange.micros(RequestPhase.SEND)
                + exchange.micros(RequestPhase.ANSWER);
    }

    private static long afterHead(LogLine line) {
        int head = line.exchange.headMicros();
        long took = TimeUnit.NANOSECONDS.toMicros(line.tookNanos);
        return head < 0 ? 0 : Math.max(0, took - head);
    }

    private static Consumer<LogLine> in(String unit, ToLongFunction<LogLine> nanos, int offset) {
        return switch (unit) {
            case "s" -> number(nanos, 1_000_000_000L);
            case "ms" -> number(nanos, 1_000_000);
            case "us" -> number(nanos, 1000);
            case "ns" -> number(nanos, 1);
            case "s.ms" -> seconds(nanos, 1_000_000, 3);
            case "s.us" -> seconds(nanos, 1000, 6);
            default ->
                    throw new LogFormatException(
                            "a unit other than s, ms, us, ns, s.ms, s.us", offset);
        };
    }

    private static Consumer<LogLine> number(ToLongFunction<LogLine> nanos, long unit) {
        return line -> {
            long value = nanos.applyAsLong(line);
            if (value < 0) {
                line.text.append('-');
            } else {
                line.number(value / unit);
            }
        };
    }

    private static Consumer<LogLine> seconds(ToLongFunction<LogLine> nanos, long unit, int digits) {
        return line -> {
            long value = nanos.applyAsLong(line);
            if (value < 0) {
                line.text.append('-');
            } else {
                line.number(value / 1_000_000_000L).text.append('.');
                line.fraction(value % 1_000_000_000L / unit, digits);
            }
        };
    }
}
