package io.margay.compat.tomcat.server;

import io.margay.compat.tomcat.server.TomcatPlan.CompressionPlan;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.regex.BoundedPattern;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// Reads the attributes by which a `Connector` compresses responses. Stateless.
final class ConnectorCompression {
    /// What Tomcat 11 compresses when nothing is said.
    private static final String TYPES =
            "text/html,text/xml,text/plain,text/css,text/javascript,application/javascript,"
                    + "application/json,application/xml";

    private static final long MIN_BYTES = 2048;

    private ConnectorCompression() {}

    /// What the attributes say; null when nothing is compressed.
    ///
    /// @throws IllegalArgumentException when they say what is not possible
    static @Nullable CompressionPlan of(Map<String, String> attributes) {
        String word = attributes.getOrDefault("compression", "off").toLowerCase(Locale.ROOT);
        String agents = attributes.getOrDefault("noCompressionUserAgents", "");
        try {
            Object _ = BoundedPattern.of(agents, false);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("noCompressionUserAgents is not an expression", e);
        }
        List<String> types =
                Arrays.stream(attributes.getOrDefault("compressibleMimeType", TYPES).split(","))
                        .map(String::strip)
                        .filter(type -> !type.isEmpty())
                        // Tomcat takes all types that begin so.
                        .map(type -> CompressionConfig.checkType(type + "*"))
                        .toList();
        return switch (word) {
            case "off", "0" -> null;
            case "on" ->
                    new CompressionPlan(
                            types,
                            number(
                                    attributes.getOrDefault(
                                            "compressionMinSize", String.valueOf(MIN_BYTES))),
                            agents);
            case "force" -> new CompressionPlan(List.of("*"), 0, agents);
            default -> new CompressionPlan(types, number(word), agents);
        };
    }

    private static long number(String text) {
        if (!text.matches("[0-9]{1,10}")) {
            throw new IllegalArgumentException("\"" + text + "\" is neither on, off nor a number");
        }
        return Long.parseLong(text) + 1; // Tomcat compresses what is longer.
    }
}
