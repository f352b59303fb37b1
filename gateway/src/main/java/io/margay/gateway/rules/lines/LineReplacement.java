package io.margay.gateway.rules.lines;

import io.margay.gateway.rules.SubstitutionRule.Replacement;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.margay.server.exchange.UndecidedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// A replacement of all that is found in a line, as mod_substitute does it: bytes are compared,
/// each search begins anew where the last find ended, and a find of nothing at all is a refusal,
/// for there would be no end to it. Immutable.
public final class LineReplacement {
    /// A group that is put, and none.
    private static final int TEXT = -1;

    private static final int ALL_MAX = 4;

    /// Of a line; one takes some sixty bytes besides its text.
    private static final int PIECES_MAX = 20_000;

    private final BoundedRegex find;
    private final List<Part> by;
    private final boolean literal;
    private final boolean apart;
    private final boolean once;

    /// @param group what a group has found, or [#TEXT]
    private record Part(String text, int group) {}

    private LineReplacement(BoundedRegex find, List<Part> by, Replacement said) {
        this.find = find;
        this.by = by;
        literal = said.literal();
        apart = said.apart();
        once = said.once();
    }

    /// Whether only what is found first in a response is replaced: whoever applies it to its lines
    /// stops when it has changed one.
    public boolean isOnce() {
        return once;
    }

    /// Compiles.
    ///
    /// @throws PatternSyntaxException for what is no regular expression
    public static LineReplacement of(Replacement said) {
        String text = bytes(said.find());
        String regex = said.literal() ? literal(text) : text;
        String by = bytes(said.by());
        return new LineReplacement(
                BoundedRegex.ofBytes(regex, said.anyCase()),
                said.literal() ? List.of(new Part(by, TEXT)) : parts(by),
                said);
    }

    /// A character for each byte.
    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String literal(String text) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c > '~' || c <= ' ' || Character.isLetterOrDigit(c);
            regex.append(plain ? "" : "\\").append(c);
        }
        return regex.toString();
    }

    private static List<Part> parts(String by) {
        List<Part> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < by.length(); i++) {
            char c = by.charAt(i);
            char next = i + 1 < by.length() ? by.charAt(i + 1) : 0;
            if (c == '$' && next >= '0' && next <= '9') {
                parts.add(new Part(text.toString(), TEXT));
                text.setLength(0);
                parts.add(new Part("", next - '0'));
                i++;
            } else if (c == '\\' && next != 0) {
                text.append(next);
                i++;
            } else {
                text.append(c);
            }
        }
        parts.add(new Part(text.toString(), TEXT));
        return List.copyOf(parts);
    }

    /// Whether it may find nothing at all, of which there is no end.
    public boolean findsNothing() {
        return find.find("") != null;
    }

    /// Replaces what is found in pieces of a line.
    ///
    /// @param max characters that one may have up to its last find, and all a few times as many
    /// @param alone whether nothing else is replaced
    /// @return the same where nothing is found
    /// @throws UndecidedException when a search does not come to an end, or they become too long
    public List<String> apply(List<String> pieces, int max, boolean alone) {
        List<String> result = null;
        long length = 0;
        for (int i = 0; i < pieces.size(); i++) {
            String piece = pieces.get(i);
            boolean over = piece.isEmpty() || (once && result != null);
            List<String> changed = over ? null : changed(piece, max, alone);
            if (changed != null && result == null) {
                result = new ArrayList<>(pieces.subList(0, i));
            }
            if (result != null) {
                int from = result.size();
                if (changed == null) {
                    result.add(piece);
                } else {
                    result.addAll(changed);
                }
                for (int k = from; k < result.size(); k++) {
                    length += result.get(k).length();
                }
            } else {
                length += piece.length();
            }
            if (length > (long) ALL_MAX * max || (result != null && result.size() > PIECES_MAX)) {
                throw tooLong(max);
            }
        }
        return result == null ? pieces : result;
    }

    private @Nullable List<String> changed(String piece, int max, boolean alone) {
        Made made = new Made(piece, max, apart && !alone);
        find.each(piece, made);
        if (made.at == 0 && made.left == max) {
            return null;
        }
        // As there, what is left counts where nothing need be copied.
        if (literal && (alone || apart) && piece.length() - made.at > made.left) {
            throw tooLong(max);
        }
        made.text.append(piece, made.at, piece.length());
        made.cut();
        return made.pieces;
    }

    /// What is made of a piece of a line. Confined to a thread.
    private final class Made implements Consumer<MatchResult> {
        private final List<String> pieces = new ArrayList<>(1);
        private final StringBuilder text = new StringBuilder();
        private final String piece;
        private final int max;
        private final boolean inPieces;
        private int left;
        private int at;
        private boolean found;

        Made(String piece, int max, boolean inPieces) {
            this.piece = piece;
            this.max = max;
            this.inPieces = inPieces;
            left = max;
        }

        @Override
        public void accept(MatchResult match) {
            if (match.end() == match.start()) {
                throw new UndecidedException("\"" + find + "\" finds nothing at all");
            }
            if (once && found) {
                return;
            }
            found = true;
            int from = text.length();
            text.append(piece, at, match.start());
            if (inPieces) {
                left -= text.length();
                cut();
                from = 0;
            }
            put(match);
            left -= text.length() - from;
            if (left < 0 || pieces.size() > PIECES_MAX) {
                throw tooLong(max);
            }
            if (inPieces) {
                cut();
            }
            at = match.end();
        }

        private void put(MatchResult match) {
            for (Part part : by) {
                text.append(part.text);
                if (part.group >= 0 && part.group <= match.groupCount()) {
                    String group = match.group(part.group);
                    text.append(group == null ? "" : group);
                }
                if (text.length() > 2L * max) {
                    throw tooLong(max);
                }
            }
        }

        private void cut() {
            pieces.add(text.toString());
            text.setLength(0);
        }
    }

    private static UndecidedException tooLong(int max) {
        return new UndecidedException("a line becomes longer than " + max + " bytes");
    }
}
