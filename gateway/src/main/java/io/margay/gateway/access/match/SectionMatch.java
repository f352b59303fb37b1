package io.margay.gateway.access.match;

import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.compiled.RequestConditions;
import io.margay.gateway.rules.regex.BoundedRegex;

/// What a section is about: of a `Location` the path, of a `Directory` the folder, of `Files` the
/// name of the file, of a `Proxy` the URL at the peer, of an `If` the request. Immutable.
public sealed interface SectionMatch {
    /// Everything.
    record Everything() implements SectionMatch {}

    /// The very text. A path also with what lies below it, and a URL with all that begins so.
    record Literal(String text) implements SectionMatch {}

    /// A pattern with wildcards for the whole text.
    ///
    /// @param pattern as it is written
    record Pattern(String pattern, BoundedRegex regex) implements SectionMatch {}

    /// An expression that is found somewhere in the text.
    record Found(BoundedRegex regex) implements SectionMatch {}

    /// Conditions that hold of the request.
    record When(RequestConditions conditions) implements SectionMatch {}

    /// What kinds of text there are, which differ in what wildcards stand for.
    enum Kind {
        PATH,
        FOLDER,
        FILE,
        PEER
    }

    /// A literal text, or one with wildcards.
    ///
    /// @throws IllegalArgumentException for a malformed set of characters
    static SectionMatch of(String text, Kind kind) {
        return Wildcards.has(text)
                ? new Pattern(text, BoundedRegex.of(Wildcards.regex(text, kind == Kind.PEER)))
                : new Literal(text);
    }

    /// An expression.
    ///
    /// @throws IllegalArgumentException when it is malformed
    static SectionMatch regex(String regex) {
        return new Found(BoundedRegex.of(regex));
    }

    /// Whether it is about a text of a kind.
    default boolean takes(String text, Kind kind) {
        return switch (this) {
            case Everything _ -> true;
            case Literal(String own) ->
                    switch (kind) {
                        case PATH -> PathMatch.isBelow(text, own);
                        case FOLDER, FILE -> own.equals(text);
                        case PEER -> text.startsWith(own);
                    };
            case Pattern(String _, BoundedRegex regex) -> regex.find(text) != null;
            case Found(BoundedRegex regex) -> regex.find(text) != null;
            case When _ -> throw new IllegalStateException("an If is asked of requests");
        };
    }
}
