package io.margay.app.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Which transport a listener uses.
public enum TransportChoice {
    /// The best that this machine has.
    AUTO,
    BLOCKING,
    NIO,
    NATIVE;

    /// The words that a user chooses by; [#AUTO] has none, it is the absence of a choice.
    public static List<String> words() {
        return Arrays.stream(values())
                .filter(choice -> choice != AUTO)
                .map(TransportChoice::word)
                .toList();
    }

    /// The choice in lower case.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The choice behind a word.
    ///
    /// @throws IllegalArgumentException for another word
    public static TransportChoice of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
