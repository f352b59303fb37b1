package io.margay.compat.nginx.syntax;

import java.util.ArrayList;
import java.util.List;

/// Takes the text of a file apart as nginx does (`ngx_conf_read_token`). Confined to one thread.
final class NginxLexer {
    /// What ends a directive.
    enum End {
        SEMICOLON,
        OPEN,
        CLOSE,
        FILE
    }

    /// What nginx says of a text that it cannot read.
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String text) {
            super(text, null, false, false);
        }
    }

    private enum Quote {
        NONE,
        DOUBLE,
        SINGLE
    }

    /// A word of nginx's has fewer characters than its buffer.
    private static final int WORD_MAX = 4096;

    private final String text;
    private final List<String> words = new ArrayList<>();
    private int at;
    private int line = 1;

    /// State of the word that is being read.
    private StringBuilder word = new StringBuilder();

    private Quote quote = Quote.NONE;
    private boolean between = true;
    private boolean needsSpace;
    private boolean escaped;
    private boolean variable;

    NginxLexer(String text) {
        this.text = text;
    }

    /// The line that was read lastly.
    int line() {
        return line;
    }

    /// The words of the directive that was read lastly.
    List<String> words() {
        return List.copyOf(words);
    }

    /// Reads up to the end of the next directive, or to a brace.
    End next() throws Malformed {
        words.clear();
        between = true;
        needsSpace = false;
        while (at < text.length()) {
            char c = text.charAt(at++);
            line += c == '\n' ? 1 : 0;
            End end = between || needsSpace ? outside(c) : inside(c);
            if (end != null) {
                return end;
            }
        }
        if (!words.isEmpty() || !between) {
            throw new Malformed("unexpected end of file, expecting \";\" or \"}\"");
        }
        return End.FILE;
    }

    @org.jspecify.annotations.Nullable
    private End outside(char c) throws Malformed {
        if (needsSpace && !isSpace(c) && ";{)".indexOf(c) < 0) {
            throw new Malformed("unexpected \"" + c + "\"");
        }
        needsSpace &= !isSpace(c) && c != ')';
        if (isSpace(c)) {
            between = true;
            return null;
        }
        switch (c) {
            case ';', '{' -> {
                if (words.isEmpty()) {
                    throw new Malformed("unexpected \"" + c + "\"");
                }
                return c == ';' ? End.SEMICOLON : End.OPEN;
            }
            case '}' -> {
                if (!words.isEmpty()) {
                    throw new Malformed("unexpected \"}\"");
                }
                return End.CLOSE;
            }
            case '#' -> comment();
            default -> begin(c);
        }
        return null;
    }

    private void comment() {
        while (at < text.length() && text.charAt(at) != '\n') {
            at++;
        }
    }

    private void begin(char c) {
        between = false;
        quote = c == '"' ? Quote.DOUBLE : c == '\'' ? Quote.SINGLE : Quote.NONE;
        escaped = c == '\\';
        variable = c == '$';
        word = new StringBuilder();
        if (quote == Quote.NONE) {
            word.append(c);
        }
    }

    @org.jspecify.annotations.Nullable
    private End inside(char c) throws Malformed {
        if (word.length() >= WORD_MAX) {
            throw new Malformed("too long parameter \"" + word.substring(0, 10) + "...\" started");
        }
        if (escaped) {
            escaped = false;
            word.append(c);
            return null;
        }
        if (c == '{' && variable) {
            word.append(c);
            return null;
        }
        variable = c == '$';
        escaped = c == '\\';
        boolean ends =
                switch (quote) {
                    case DOUBLE -> c == '"';
                    case SINGLE -> c == '\'';
                    case NONE -> isSpace(c) || c == ';' || c == '{';
                };
        if (escaped || variable || !ends) {
            word.append(c);
            return null;
        }
        words.add(plain(word));
        between = true;
        needsSpace = quote != Quote.NONE;
        if (quote == Quote.NONE && c == ';') {
            return End.SEMICOLON;
        }
        return quote == Quote.NONE && c == '{' ? End.OPEN : null;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    /// A word without the backslashes that nginx takes away; others are part of it.
    private static String plain(CharSequence raw) {
        StringBuilder made = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            char next = c == '\\' && i + 1 < raw.length() ? raw.charAt(i + 1) : 0;
            int known = "\"'\\trn".indexOf(next);
            if (next == 0 || known < 0) {
                made.append(c);
            } else {
                made.append("\"'\\\t\r\n".charAt(known));
                i++;
            }
        }
        return made.toString();
    }
}
