package io.margay.app.slow;

import io.margay.server.sight.SeenRequest;
import io.margay.server.timing.RequestPhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Why a request took long. Immutable.
///
/// @param cause most of its time went into; null = there is no single one
/// @param sentence that says it
/// @param evidence a line each; none where phases say it all
public record Explanation(@Nullable Cause cause, String sentence, List<String> evidence) {
    /// Of its time, so that it counts as the cause.
    private static final double SHARE_MIN = 0.4;

    public Explanation {
        evidence = List.copyOf(evidence);
    }

    /// Of what is known.
    ///
    /// @param samples null = its thread was not looked at
    /// @param stoppedMicros that all threads were stopped for collections meanwhile
    static Explanation of(SeenRequest seen, @Nullable Samples samples, long stoppedMicros) {
        Map<Cause, Long> parts = parts(seen, samples);
        if (stoppedMicros > 0) {
            parts.merge(Cause.COLLECTIONS, Math.min(stoppedMicros, seen.micros()), Math::max);
        }
        List<Map.Entry<Cause, Long>> longest =
                parts.entrySet().stream()
                        .sorted(
                                Map.Entry.<Cause, Long>comparingByValue(Comparator.reverseOrder())
                                        .thenComparing(Map.Entry.comparingByKey()))
                        .toList();
        Cause most = longest.isEmpty() ? Cause.ANSWERER : longest.getFirst().getKey();
        // Threads that are stopped are so at something.
        if (2 * stoppedMicros >= seen.micros() && stoppedMicros > 0) {
            most = Cause.COLLECTIONS;
        }
        long took = parts.getOrDefault(most, 0L);
        List<String> evidence = samples == null ? List.of() : samples.evidence(most);
        String whole = "took " + seconds(seen.micros());
        if (took < SHARE_MIN * seen.micros()) {
            String some =
                    String.join(
                            "; ",
                            longest.stream()
                                    .limit(3)
                                    .map(each ->
                                            seconds(each.getValue()) + " " + each.getKey().text())
                                    .toList());
            return new Explanation(
                    null,
                    whole + " for no single cause" + (some.isEmpty() ? "" : ": " + some),
                    evidence);
        }
        return new Explanation(
                most,
                whole
                        + ", "
                        + seconds(took)
                        + " of it "
                        + most.text()
                        + member(seen, most)
                        + (samples == null ? "" : samples.detail(most)),
                evidence);
    }

    /// The same of a request that is explained because it is slower than others of its route.
    ///
    /// @param nanos from which duration on that is so; 0 = it is not
    Explanation tail(long nanos) {
        if (nanos == 0) {
            return this;
        }
        List<String> lines = new ArrayList<>(evidence);
        lines.addFirst(
                "999 of 1000 requests of its route took less than " + seconds(nanos / 1_000));
        return new Explanation(cause, sentence, lines);
    }

    private static String member(SeenRequest seen, Cause cause) {
        SeenRequest.Place place = seen.place();
        return switch (cause) {
            case CONNECT, SEND, ANSWER, PASSING ->
                    place.member().isEmpty()
                            ? ""
                            : ", "
                                    + place.member()
                                    + (place.attempts() > 1
                                            ? ", after " + place.attempts() + " attempts"
                                            : "");
            default -> "";
        };
    }

    /// Microseconds by what they went into: what is of no phase by what its thread was seen at.
    private static Map<Cause, Long> parts(SeenRequest seen, @Nullable Samples samples) {
        Map<Cause, Long> parts = new EnumMap<>(Cause.class);
        for (Map.Entry<RequestPhase, Long> each : seen.phases().entrySet()) {
            Cause cause = Cause.of(each.getKey());
            if (cause != null) {
                parts.merge(cause, each.getValue(), Long::sum);
            }
        }
        // A member cannot take what the client has not sent.
        long content = parts.getOrDefault(Cause.CONTENT, 0L);
        parts.computeIfPresent(Cause.SEND, (_, sent) -> Math.max(0, sent - content));
        long rest = seen.micros() - parts.values().stream().mapToLong(Long::longValue).sum();
        if (rest <= 0) {
            return parts;
        }
        boolean proxied = !seen.place().member().isEmpty();
        Map<Cause, Long> seenAt = samples == null ? Map.of() : samples.causes();
        double all = seenAt.values().stream().mapToLong(Long::longValue).sum();
        for (Map.Entry<Cause, Long> each : seenAt.entrySet()) {
            Cause cause = each.getKey();
            parts.merge(
                    cause == Cause.APART && proxied ? Cause.PASSING : cause,
                    Math.round(rest * (each.getValue() / all)),
                    Long::sum);
        }
        if (seenAt.isEmpty()) {
            parts.merge(proxied ? Cause.PASSING : Cause.ANSWERER, rest, Long::sum);
        }
        return parts;
    }

    private static String seconds(long micros) {
        return micros < 1_000
                ? micros + " us"
                : micros < 1_000_000
                        ? Math.round(micros / 1e3) + " ms"
                        : String.format(Locale.ROOT, "%.1f s", micros / 1e6);
    }
}
