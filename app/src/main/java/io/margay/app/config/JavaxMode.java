package io.margay.app.config;

import io.margay.compat.tomcat.javax.JavaxApplications;
import io.margay.servlet.settings.ApplicationConversion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What is done with applications that were written for the javax packages, as those for Tomcat 9
/// and before are.
public enum JavaxMode {
    /// They are converted when they are deployed.
    AUTO,

    /// They are refused when they are deployed.
    OFF;

    /// The words that a user chooses by.
    public static List<String> words() {
        return Arrays.stream(values()).map(mode -> mode.name().toLowerCase(Locale.ROOT)).toList();
    }

    /// The mode behind a word.
    ///
    /// @throws IllegalArgumentException for another word
    public static JavaxMode of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /// What does it.
    ///
    /// @param libraries whether the libraries that applications share have been converted
    public ApplicationConversion conversion(boolean libraries) {
        return switch (this) {
            case AUTO ->
                    libraries ? JavaxApplications.withLibraries() : JavaxApplications.converted();
            case OFF -> JavaxApplications.refused();
        };
    }
}
