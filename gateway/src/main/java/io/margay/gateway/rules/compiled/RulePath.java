package io.margay.gateway.rules.compiled;

import io.margay.protocol.http.PathReading;
import io.margay.protocol.http.PercentEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A canonical path that still knows its path parameters, so that a changed path keeps the session
/// in `;jsessionid=…`. Immutable.
///
/// @param path decoded, canonical, without parameters
/// @param marks where in `path` parameters stood, ascending
/// @param raw as the client spelt it
/// @param keepsSlashes whether `%2F` and `%25` in `path` stay as they are
/// @param whole whether `path` has the parameters, each `;` in it begins one, and there are no
///   marks
record RulePath(String path, List<Mark> marks, String raw, boolean keepsSlashes, boolean whole) {
    RulePath(String path, List<Mark> marks, String raw, boolean keepsSlashes) {
        this(path, marks, raw, keepsSlashes, false);
    }

    /// `..`, encoded or not, with parameters or without.
    private static final Pattern DOT_SEGMENT =
            Pattern.compile("(?i)(?:^|/)(?:\\.|%2e){2}(?:;[^/]*)?(?:/|$)");

    /// Parameters as received, with the semicolon before them, at the end of a segment.
    record Mark(int at, String text) {}

    /// Finds the parameters of a raw path whose canonical form is known.
    static RulePath of(String canonical, String raw) {
        return of(canonical, raw, PathReading.STRICT);
    }

    /// The same for the path of a request.
    static RulePath of(RuleRequest request) {
        return of(request.path(), request.rawPath(), request.reading());
    }

    private static RulePath of(String canonical, String raw, PathReading reading) {
        List<Mark> marks =
                raw.indexOf(';') < 0 ? List.of() : marks(canonical, reading.withSlashes(raw));
        return new RulePath(canonical, marks, raw, reading.keepsSlashes(raw));
    }

    /// The segments of a raw path that stay in the canonical one are found by replaying what
    /// canonicalisation does: `.` and empty segments go, `..` takes its parent.
    private static List<Mark> marks(String canonical, String raw) {
        List<String> parameters = new ArrayList<>();
        int from = 1;
        while (from <= raw.length()) {
            int slash = raw.indexOf('/', from);
            int end = slash < 0 ? raw.length() : slash;
            String segment = raw.substring(from, end);
            int semicolon = segment.indexOf(';');
            String name = semicolon < 0 ? segment : segment.substring(0, semicolon);
            if (name.equals("..") && !parameters.isEmpty()) {
                parameters.removeLast();
            } else if (!name.equals(".") && !name.equals("..") && (!name.isEmpty() || slash < 0)) {
                parameters.add(semicolon < 0 ? "" : segment.substring(semicolon));
            }
            from = end + 1;
        }
        List<Mark> marks = new ArrayList<>();
        int at = 0;
        for (String parameter : parameters) {
            int next = canonical.indexOf('/', at + 1);
            at = next < 0 ? canonical.length() : next;
            if (!parameter.isEmpty()) {
                marks.add(new Mark(at, parameter));
            }
        }
        return marks;
    }

    /// The same with its parameters in the path, for expressions that ask for a `;`; this one where
    /// there are none, or what they are could be read in two ways.
    RulePath withParameters() {
        if (marks.isEmpty()
                || path.indexOf(';') >= 0
                || marks.stream().anyMatch(mark -> mark.text.indexOf('%') >= 0)) {
            return this;
        }
        StringBuilder all = new StringBuilder(path);
        for (Mark mark : marks.reversed()) {
            all.insert(mark.at, mark.text);
        }
        return new RulePath(all.toString(), List.of(), raw, keepsSlashes, true);
    }

    /// A path that ends as a request's does, such as that of its file, with the parameters of the
    /// segments that both have.
    static RulePath endingAs(RuleRequest request, String text) {
        RulePath of = of(request);
        int more = text.length() - of.path.length();
        List<Mark> kept =
                of.marks.stream()
                        .filter(mark -> text.endsWith(of.path.substring(mark.at)))
                        .filter(mark -> mark.at + more > 0)
                        .map(mark -> new Mark(mark.at + more, mark.text))
                        .toList();
        return new RulePath(text, kept, text, of.keepsSlashes);
    }

    /// The path from an offset on, encoded, with its parameters.
    String encoded(int from) {
        return encoded(from, path.length());
    }

    /// A part of the path, encoded, with the parameters of segments that end in it.
    String encoded(int from, int to) {
        if (marks.isEmpty()) {
            return part(from, to);
        }
        StringBuilder result = new StringBuilder();
        int done = from;
        for (Mark mark : marks) {
            if (mark.at >= from && mark.at <= to) {
                result.append(part(done, mark.at)).append(mark.text);
                done = mark.at;
            }
        }
        return result.append(part(done, to)).toString();
    }

    private String part(int from, int to) {
        String text = path.substring(from, to);
        return whole && text.indexOf(';') >= 0
                ? PercentEncoding.encode(text, PercentEncoding.PATH + ";")
                : PercentEncoding.path(text, keepsSlashes);
    }

    /// The parameters of the last segment, or nothing.
    String lastParameters() {
        return marks.isEmpty() || marks.getLast().at < path.length() ? "" : marks.getLast().text;
    }

    /// The rest of the raw path after a prefix of it, or null when the prefix is spelt otherwise,
    /// or when `..` could lead out of what the rest is put behind.
    @Nullable String rawAfter(String prefix) {
        return raw.startsWith(prefix) && !DOT_SEGMENT.matcher(raw).find()
                ? raw.substring(prefix.length())
                : null;
    }

    /// Decoded text for a path: what may not stand there is percent-encoded, `;`, `?` and `%` too.
    static String encode(String text) {
        return PercentEncoding.path(text);
    }

    /// Text for a query or for the whole of a location: what may not stand in a target is encoded.
    ///
    /// @param encoded whether `%` begins an encoding, as in a query that was received
    static String encodeLoosely(String text, boolean encoded) {
        return PercentEncoding.encode(text, PercentEncoding.PATH + (encoded ? ";?[]%" : ";?[]"));
    }
}
