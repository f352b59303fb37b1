package io.margay.app.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Whether the server is seen through JMX.
public enum JmxMode {
    /// Where the JVM has an MBean server, because an agent, an option or a program wanted one.
    AUTO,

    /// Always.
    ON,

    /// Never.
    OFF;

    /// The words that a user chooses by.
    public static List<String> words() {
        return Arrays.stream(values()).map(mode -> mode.name().toLowerCase(Locale.ROOT)).toList();
    }

    /// The mode behind a word.
    ///
    /// @throws IllegalArgumentException for another word
    public static JmxMode of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
