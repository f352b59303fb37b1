package io.margay.server.timing;

import java.util.Locale;
import java.util.function.ToLongFunction;

/// The field `Server-Timing` (W3C, 2023): where the time went until the head of the response, in
/// milliseconds. Stateless.
public final class ServerTiming {
    private static final RequestPhase[] PHASES = RequestPhase.values();

    private ServerTiming() {}

    /// Its value.
    ///
    /// @param micros spent in a phase
    /// @param headMicros from the whole head of the request on
    public static String of(ToLongFunction<RequestPhase> micros, int headMicros) {
        StringBuilder value = new StringBuilder(48);
        add(value, "total", headMicros);
        for (RequestPhase phase : PHASES) {
            long spent = micros.applyAsLong(phase);
            if (spent > 0 && phase != RequestPhase.HEAD) {
                add(value.append(", "), phase.label(), spent);
            }
        }
        return value.toString();
    }

    private static void add(StringBuilder value, String name, long micros) {
        value.append(name).append(";dur=");
        value.append(String.format(Locale.ROOT, "%d.%03d", micros / 1_000, micros % 1_000));
    }
}
