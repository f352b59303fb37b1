package io.margay.lab.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads one JSON document by recursive descent. Confined to one thread.
final class JsonReader {
    private static final int DEPTH_MAX = 100;
    private static final Pattern NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private int at;
    private int depth;

    JsonReader(String text) {
        this.text = text;
    }

    Object document() {
        List<Object> found = new ArrayList<>();
        value(found::add);
        blanks();
        if (at != text.length() || found.isEmpty()) {
            throw fault("one value and nothing else was expected");
        }
        return found.getFirst();
    }

    /// Reads a value and hands it over, unless it is null.
    private void value(Consumer<Object> to) {
        blanks();
        if (++depth > DEPTH_MAX) {
            throw fault("nested too deep");
        }
        char c = at < text.length() ? text.charAt(at) : 0;
        switch (c) {
            case '{' -> to.accept(object());
            case '[' -> to.accept(array());
            case '"' -> to.accept(string());
            case 't' -> {
                word("true");
                to.accept(true);
            }
            case 'f' -> {
                word("false");
                to.accept(false);
            }
            case 'n' -> word("null");
            default -> to.accept(number());
        }
        depth--;
    }

    private Map<String, Object> object() {
        Map<String, Object> result = new LinkedHashMap<>();
        at++;
        if (!next('}')) {
            do {
                blanks();
                if (at >= text.length() || text.charAt(at) != '"') {
                    throw fault("a name in quotes was expected");
                }
                String name = string();
                expect(':');
                value(it -> result.put(name, it));
            } while (next(','));
            expect('}');
        }
        return result;
    }

    private List<Object> array() {
        List<Object> result = new ArrayList<>();
        at++;
        if (!next(']')) {
            do {
                value(result::add);
            } while (next(','));
            expect(']');
        }
        return result;
    }

    private String string() {
        StringBuilder result = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return result.toString();
            }
            if (c < ' ') {
                throw fault("a control character in a text");
            }
            result.append(c == '\\' ? escaped() : c);
        }
        throw fault("a text without end");
    }

    private char escaped() {
        at++;
        char c = at < text.length() ? text.charAt(at) : 0;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (at + 4 >= text.length()) {
                    throw fault("an escape without end");
                }
                String digits = text.substring(at + 1, at + 5);
                if (!digits.matches("[0-9a-fA-F]{4}")) {
                    throw fault("an escape that is no number");
                }
                at += 4;
                yield (char) Integer.parseInt(digits, 16);
            }
            default -> throw fault("an unknown escape");
        };
    }

    private Object number() {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            throw fault("a value was expected");
        }
        at = matcher.end();
        String digits = matcher.group();
        boolean whole = matcher.group(2) == null && matcher.group(3) == null;
        return whole && digits.length() < 19
                ? (Object) Long.valueOf(digits)
                : (Object) Double.valueOf(digits);
    }

    private void word(String word) {
        if (!text.startsWith(word, at)) {
            throw fault("a value was expected");
        }
        at += word.length();
    }

    private boolean next(char c) {
        blanks();
        boolean found = at < text.length() && text.charAt(at) == c;
        at += found ? 1 : 0;
        return found;
    }

    private void expect(char c) {
        if (!next(c)) {
            throw fault("\"" + c + "\" was expected");
        }
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException fault(String what) {
        long line =
                text.substring(0, Math.min(at, text.length()))
                                .chars()
                                .filter(c -> c == '\n')
                                .count()
                        + 1;
        return new IllegalArgumentException("line " + line + ": " + what);
    }
}
