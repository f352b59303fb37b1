package io.margay.app.slow;

import io.margay.app.yaml.Amounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Which requests are explained. Immutable.
///
/// @param from those that take so long; zero = none
/// @param tail those, too, that take longer than p99.9 of their route in the last hour
public record SlowSettings(Duration from, boolean tail) {
    private static final String TAIL = "p99.9";
    private static final Duration MAX = Duration.ofDays(1);

    /// None.
    public static final SlowSettings NONE = new SlowSettings(Duration.ZERO, false);

    public SlowSettings {
        if (from.isNegative() || from.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("the time of slow requests is 0s to 1d");
        }
    }

    /// Of the words of the file.
    public static SlowSettings of(List<String> words) {
        Duration from = Duration.ZERO;
        int times = 0;
        for (String word : words) {
            if (!word.equals(TAIL)) {
                from = Amounts.duration(word);
                times++;
            }
        }
        if (times > 1 || words.size() - times > 1) {
            throw new IllegalArgumentException("slow is one time, p99.9, or both");
        }
        return new SlowSettings(from, words.size() > times);
    }

    /// The words of the file.
    public List<String> words() {
        List<String> words = new ArrayList<>();
        if (!tail || !from.isZero()) {
            words.add(Amounts.write(from));
        }
        if (tail) {
            words.add(TAIL);
        }
        return List.copyOf(words);
    }

    /// A word of the file.
    ///
    /// @throws IllegalArgumentException when it is not
    public static String word(String text) {
        Object _ = text.equals(TAIL) ? text : Amounts.duration(text);
        return text;
    }

    /// Whether no request is explained.
    public boolean isOff() {
        return from.isZero() && !tail;
    }
}
