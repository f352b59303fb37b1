package io.margay.servlet.naming;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What may be told of a statement: its text with `?` in place of each value, so that statements
/// that differ in values alone are one, and nobody learns them. What is not understood is taken for
/// a value. Immutable.
///
/// @param text without values, 1 024 characters at most
/// @param summary the operation and the first table, as in `SELECT items`
record StatementText(String text, String summary) {
    /// Characters of a statement that are looked at.
    static final int READ_MAX = 16_384;

    static final int CHARS_MAX = 1_024;

    private static final Pattern LIST = Pattern.compile("\\?(?: ?, ?\\?)++");
    private static final Pattern ROWS = Pattern.compile("\\(\\?\\)(?: ?, ?\\(\\?\\))++");

    private static final Pattern TABLE =
            Pattern.compile(
                    "(?i)\\b(?:FROM|INTO|UPDATE|TABLE|CALL|JOIN) (?:IF (?:NOT )?EXISTS )?"
                            + "([\\w.$`\"]{1,64})");

    private static final Pattern OPERATION = Pattern.compile("[({ ?=]*([A-Za-z]{1,32})");

    /// @param system the kind of database, as in `mysql`: there `"` is around values, and `\`
    ///   escapes
    static StatementText of(String statement, String system) {
        // What is not known may be any: there " may be around values, and \ may escape.
        boolean mysql = Set.of("mysql", "mariadb", "other_sql").contains(system);
        boolean brackets = Set.of("microsoft.sql_server", "sqlite").contains(system);
        int end = Math.min(statement.length(), READ_MAX);
        String text = new Scan(statement, end, mysql, brackets).run();
        text = ROWS.matcher(LIST.matcher(text).replaceAll("?")).replaceAll("(?)").strip();
        String cut = text.length() > CHARS_MAX ? text.substring(0, CHARS_MAX) : text;
        return new StatementText(cut, summary(cut));
    }

    private static String summary(String text) {
        Matcher first = OPERATION.matcher(text);
        String operation = first.lookingAt() ? first.group(1).toUpperCase(Locale.ROOT) : "SQL";
        Matcher table = TABLE.matcher(text);
        return table.find() ? operation + " " + table.group(1) : operation;
    }

    /// One way through a statement. Used by one thread.
    private static final class Scan {
        private final String from;
        private final int end;
        private final boolean mysql;
        private final boolean brackets;
        private final StringBuilder to;
        private int at;

        Scan(String from, int end, boolean mysql, boolean brackets) {
            this.from = from;
            this.end = end;
            this.mysql = mysql;
            this.brackets = brackets;
            to = new StringBuilder(Math.min(end, CHARS_MAX));
        }

        String run() {
            while (at < end) {
                char c = from.charAt(at);
                String tag = c == '$' ? dollarTag() : null;
                if (c == '\'' || (c == '"' && mysql)) {
                    literal(c);
                } else if (tag != null) {
                    int close = from.indexOf(tag, at + tag.length());
                    at = close < 0 ? end : close + tag.length();
                    to.append('?');
                } else if (c == '"' || c == '`') {
                    quotedName(c);
                } else if (c == '[' && brackets) {
                    quotedName(']');
                } else if (isComment("--") || (mysql && c == '#')) {
                    skipTo("\n");
                } else if (isComment("/*")) {
                    skipTo("*/");
                } else if (isDigit(c) && !isWithinWord()) {
                    number();
                } else if (c <= ' ') {
                    space();
                    at++;
                } else {
                    to.append(c);
                    at++;
                }
            }
            return to.toString();
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        private boolean isWithinWord() {
            char before = at == 0 ? ' ' : from.charAt(at - 1);
            return Character.isLetterOrDigit(before) || before == '_' || before == '$';
        }

        private void space() {
            if (!to.isEmpty() && to.charAt(to.length() - 1) != ' ') {
                to.append(' ');
            }
        }

        private boolean isComment(String mark) {
            return from.startsWith(mark, at);
        }

        private void skipTo(String mark) {
            int close = from.indexOf(mark, at + mark.length());
            int inner = mark.equals("*/") ? from.indexOf("/*", at + 2) : -1;
            // Some databases nest comments, others do not: what follows could be either.
            boolean nests = inner >= 0 && inner < close;
            at = close < 0 || nests ? end : close + mark.length();
            space();
        }

        /// Of PostgreSQL, as in `$tag$ value $tag$`; null = there is none here.
        private @Nullable String dollarTag() {
            if (isWithinWord()) {
                return null;
            }
            int i = at + 1;
            while (i < end
                    && (Character.isLetter(from.charAt(i))
                            || from.charAt(i) == '_'
                            || (i > at + 1 && isDigit(from.charAt(i))))) {
                i++;
            }
            return i < end && from.charAt(i) == '$' ? from.substring(at, i + 1) : null;
        }

        private void literal(char quote) {
            char before = at == 0 ? ' ' : from.charAt(at - 1);
            boolean prefixed =
                    (before == 'E' || before == 'e')
                            && (at < 2 || !Character.isLetterOrDigit(from.charAt(at - 2)));
            boolean escapes = mysql || prefixed;
            at++;
            if ((before == 'q' || before == 'Q') && at < end) {
                // Of Oracle, as in q'[it's a value]'.
                char open = from.charAt(at);
                int kind = "[{(<".indexOf(open);
                char last = kind < 0 ? open : "]})>".charAt(kind);
                int close = from.indexOf(last + "'", at + 1);
                at = close < 0 ? end : close + 2;
                to.append('?');
                return;
            }
            while (at < end) {
                char c = from.charAt(at);
                if (c == '\\' && escapes) {
                    // Servers can be told not to have escapes: what follows could be either.
                    boolean unsure = mysql && at + 1 < end && from.charAt(at + 1) == quote;
                    at = unsure ? end : at + 2;
                } else if (c == quote && at + 1 < end && from.charAt(at + 1) == quote) {
                    at += 2;
                } else if (c == quote) {
                    break;
                } else {
                    at++;
                }
            }
            at++;
            to.append('?');
        }

        private void quotedName(char quote) {
            int close = from.indexOf(quote, at + 1);
            if (close < 0 || close >= end) {
                to.append('?');
                at = end;
                return;
            }
            to.append(from, at, close + 1);
            at = close + 1;
        }

        private void number() {
            while (at < end) {
                char c = from.charAt(at);
                boolean sign = (c == '+' || c == '-') && (from.charAt(at - 1) | 0x20) == 'e';
                if (!Character.isLetterOrDigit(c) && c != '.' && c != '_' && !sign) {
                    break;
                }
                at++;
            }
            to.append('?');
        }
    }
}
