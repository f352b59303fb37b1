package io.margay.compat.tomcat.server;

import io.margay.protocol.http.PathReading;
import io.margay.protocol.http.PathReading.EncodedSlash;
import io.margay.protocol.http.RequestTarget;
import java.util.Locale;
import java.util.Map;

/// Reads the attributes by which a `Connector` says how paths are read. Stateless.
final class ConnectorPaths {
    /// The attribute about `%2F`.
    static final String SLASH = "encodedSolidusHandling";

    /// The attribute about `\`.
    static final String BACKSLASH = "allowBackslash";

    /// The attribute about `%5C`.
    static final String ENCODED_BACKSLASH = "encodedReverseSolidusHandling";

    /// What Tomcat lets in over AJP13, but for a backslash in the path: it looks at no character.
    static final RequestTarget.Characters AJP =
            RequestTarget.Characters.of(
                    RequestTarget.Characters.RELAXABLE.replace("\\", ""),
                    RequestTarget.Characters.RELAXABLE);

    private ConnectorPaths() {}

    /// What targets may have; other characters of the attributes say nothing, as in Tomcat.
    static RequestTarget.Characters characters(Map<String, String> attributes) {
        return RequestTarget.Characters.of(
                RequestTarget.Characters.known(attributes.getOrDefault("relaxedPathChars", "")),
                RequestTarget.Characters.known(attributes.getOrDefault("relaxedQueryChars", "")));
    }

    /// What the attributes say.
    ///
    /// @throws IllegalArgumentException when they say what is not possible
    static PathReading of(Map<String, String> attributes) {
        String word = attributes.getOrDefault(SLASH, "reject").toLowerCase(Locale.ROOT);
        EncodedSlash slash =
                switch (word) {
                    case "reject" -> EncodedSlash.REJECT;
                    case "decode" -> EncodedSlash.DECODE;
                    case "passthrough" -> EncodedSlash.PASSTHROUGH;
                    default ->
                            throw new IllegalArgumentException(
                                    "\"" + word + "\" is neither reject, decode nor passthrough");
                };
        boolean backslash = attributes.getOrDefault(BACKSLASH, "false").equalsIgnoreCase("true");
        return new PathReading(slash, backslash);
    }

    /// Whether `%5C` is left encoded, or refused where `\\` is not.
    static boolean splitsBackslashes(Map<String, String> attributes) {
        String word = attributes.getOrDefault(ENCODED_BACKSLASH, "decode").toLowerCase(Locale.ROOT);
        boolean backslash = of(attributes).backslash();
        return word.equals("passthrough") || (word.equals("reject") && backslash);
    }
}
