package io.margay.gateway.rules;

import io.margay.server.exchange.LogRate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Where the expressions of a configuration are written, for warnings. Filled by the thread that
/// reads the files, read afterwards. It makes no configurations different: any two are equal.
public final class ExpressionPlaces {
    private static final ScopedValue<ExpressionPlaces> CURRENT = ScopedValue.newInstance();

    private final Map<String, Place> places = new ConcurrentHashMap<>();

    /// The line that is being read; null afterwards.
    private @Nullable String now;

    /// Where one expression is written.
    ///
    /// @param line file and line, or empty when it is not known
    /// @param reports how often it is warned of, wherever it is asked
    public record Place(String line, LogRate reports) {
        private static Place at(String line) {
            return new Place(line, new LogRate(Duration.ofMinutes(1), System::nanoTime));
        }
    }

    /// Takes note of the line that is being read: what is compiled then is written there.
    public void at(@Nullable String line) {
        now = line;
    }

    /// Takes note of where an expression is written, unless it is written before, too.
    public void put(String regex, String line) {
        places.computeIfAbsent(regex, _ -> Place.at(line));
    }

    /// Whether no expression is written anywhere.
    public boolean isEmpty() {
        return places.isEmpty() && now == null;
    }

    /// Does something in which expressions are compiled, which know their places from then on.
    public <T, X extends Throwable> T during(ScopedValue.CallableOp<? extends T, X> compiling)
            throws X {
        return ScopedValue.where(CURRENT, this).call(compiling);
    }

    /// Where an expression is written that is compiled now.
    public static Place of(String regex) {
        Place known = CURRENT.isBound() ? CURRENT.get().find(regex) : null;
        return known == null ? Place.at("") : known;
    }

    private @Nullable Place find(String regex) {
        String line = now;
        if (line == null) {
            return places.get(regex);
        }
        Place first = places.computeIfAbsent(regex, _ -> Place.at(line));
        return first.line.equals(line) ? first : Place.at(line);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExpressionPlaces;
    }

    @Override
    public int hashCode() {
        return 1;
    }

    @Override
    public String toString() {
        return "";
    }
}
