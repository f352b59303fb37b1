package io.margay.compat.httpd.expression;

import io.margay.compat.httpd.expression.RequestTerm.All;
import io.margay.compat.httpd.expression.RequestTerm.Any;
import io.margay.compat.httpd.expression.RequestTerm.Constant;
import io.margay.compat.httpd.expression.RequestTerm.Not;
import io.margay.compat.httpd.expression.RequestTerm.Test;
import io.margay.gateway.rules.FileTest;
import io.margay.gateway.rules.GatewayRule.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Reads httpd's expressions, as in `If`, `Require expr` and `expr=`: `&&`, `||`, `!`, parentheses;
/// `==`, `!=`, `<`, `>`, `=~`, `!~`, `-eq`, `-lt` and their like, `in`, `-ipmatch`, `-strmatch`,
/// `-strcmatch`, `-fnmatch` of variables with texts; `-n`, `-z`, `-T`, `-R`; `-d`, `-e`, `-f`,
/// `-s`, `-L`, `-h` of files; the functions `req`, `http`, `reqenv`, `env`, `tolower`, `toupper`.
/// Confined to one reading.
public final class HttpdExpression {
    /// The client's address, of which networks are part.
    private static final String CLIENT = "%{REMOTE_GROUPS}";

    /// Parentheses and negations within one another at most.
    private static final int DEPTH_MAX = 50;

    private static final String DELIMITERS = "/#$%^|?!'\",;:._-";
    private static final String FALSE_WORDS = "^(?:|0|off|false|no)$";

    private final String text;
    private final ExpressionVariables names;

    /// Whether it is one of `SSLRequire`, in which `eq` and `<` compare texts, by their lengths
    /// first.
    private final boolean ofSslRequire;

    private int at;
    private int depth;

    private HttpdExpression(String text, ExpressionVariables names, boolean ofSslRequire) {
        this.text = text;
        this.ofSslRequire = ofSslRequire;
        this.names = names;
    }

    /// Reads an expression.
    ///
    /// @throws IllegalArgumentException with what is malformed, or has no counterpart here
    public static RequestTerm of(String text, RequestVariables variables) {
        return whole(
                new HttpdExpression(text, new ExpressionVariables(variables, false, false), false));
    }

    /// Reads one that is asked when it is known which file a request is for.
    ///
    /// @throws IllegalArgumentException with what is malformed, or has no counterpart here
    public static RequestTerm ofFile(String text, RequestVariables variables) {
        ExpressionVariables names = new ExpressionVariables(variables, true, false);
        return whole(new HttpdExpression(text, names, false));
    }

    /// Reads one of `SSLRequire`.
    ///
    /// @throws IllegalArgumentException with what is malformed, or has no counterpart here
    public static RequestTerm ofSslRequire(String text, RequestVariables variables) {
        return whole(
                new HttpdExpression(text, new ExpressionVariables(variables, false, false), true));
    }

    private static RequestTerm whole(HttpdExpression expression) {
        String text = expression.text;
        RequestTerm term = expression.or();
        expression.skipSpace();
        if (expression.at < text.length()) {
            throw expression.unknown("\"" + text.substring(expression.at) + "\"");
        }
        return term;
    }

    /// What an expression says, as conditions; empty when it is not understood.
    public static Optional<List<Condition>> conditions(String text, RequestVariables variables) {
        try {
            return Optional.of(of(text, variables).conditions(false));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// The same of one that is asked when the response is there.
    public static Optional<List<Condition>> ofResponse(String text, RequestVariables variables) {
        try {
            ExpressionVariables names = new ExpressionVariables(variables, true, true);
            return Optional.of(whole(new HttpdExpression(text, names, false)).conditions(false));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// A text of a request, or one that is always the same.
    ///
    /// @param constant what it always is, or null
    /// @param fold whether upper and lower case are made the same: then all is in that of `lower`
    private record Word(String template, @Nullable String constant, boolean fold, boolean lower) {
        static Word of(String constant) {
            return new Word(HeaderFormat.literal(constant), constant, false, false);
        }

        /// Whether a text can be found in what is folded.
        boolean canBe(String other) {
            return !fold || other.equals(folded(other));
        }

        String folded(String other) {
            return lower ? other.toLowerCase(Locale.ROOT) : other.toUpperCase(Locale.ROOT);
        }
    }

    private IllegalArgumentException unknown(String what) {
        return new IllegalArgumentException(what + " is not understood");
    }

    // Tokens

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean takes(String token) {
        skipSpace();
        if (!text.startsWith(token, at)) {
            return false;
        }
        at += token.length();
        return true;
    }

    /// One of the words that `SSLRequire` has for symbols.
    private boolean takesWord(String word) {
        skipSpace();
        int end = at + word.length();
        boolean found =
                ofSslRequire
                        && text.regionMatches(true, at, word, 0, word.length())
                        && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
        at = found ? end : at;
        return found;
    }

    private void expect(String token) {
        if (!takes(token)) {
            throw new IllegalArgumentException("\"" + token + "\" is missing");
        }
    }

    /// Letters, digits and `_` from here on.
    private String name() {
        int from = at;
        while (Character.isLetterOrDigit(peek()) || peek() == '_') {
            at++;
        }
        return text.substring(from, at);
    }

    // Terms

    private RequestTerm or() {
        List<RequestTerm> terms = new ArrayList<>(List.of(and()));
        while (takes("||") || takesWord("or")) {
            terms.add(and());
        }
        return terms.size() == 1 ? terms.getFirst() : new Any(terms);
    }

    private RequestTerm and() {
        List<RequestTerm> terms = new ArrayList<>(List.of(not()));
        while (takes("&&") || takesWord("and")) {
            terms.add(not());
        }
        return terms.size() == 1 ? terms.getFirst() : new All(terms);
    }

    private RequestTerm not() {
        if (++depth > DEPTH_MAX) {
            throw new IllegalArgumentException("terms are nested too deeply");
        }
        RequestTerm term;
        if (takes("!") || takesWord("not")) {
            term = new Not(not());
        } else if (takes("(")) {
            term = or();
            expect(")");
        } else {
            term = comparison();
        }
        depth--;
        return term;
    }

    private RequestTerm comparison() {
        skipSpace();
        if (peek() == '-') {
            at++;
            return unary(name());
        }
        if (Character.isLetter(peek())) {
            int before = at;
            String name = name();
            if (name.equalsIgnoreCase("true") || name.equalsIgnoreCase("false")) {
                return new Constant(name.equalsIgnoreCase("true"));
            }
            at = before;
        }
        Word left = word();
        String operator = operator();
        if (ofSslRequire && !operator.endsWith("~") && !operator.equals("in")) {
            return compared(left, operator, word());
        }
        boolean not =
                operator.startsWith("!") || Set.of("ne", "lt", "le", "<", "<=").contains(operator);
        RequestTerm term =
                switch (operator) {
                    case "=~", "!~" -> matches(left);
                    case "==", "=", "!=" -> equals(left, word());
                    case "eq", "ne" -> equalsNumber(left, word());
                    case "ge", "lt" -> numberFrom(left, word(), 0);
                    case "gt", "le" -> numberFrom(left, word(), 1);
                    case ">=", "<" -> new Not(before(left, word()));
                    case ">", "<=" -> after(left, word());
                    case "in" -> in(left);
                    case "ipmatch" -> found(address(left), address(constant(word())), false);
                    case "strmatch" -> found(left, glob(constant(word())), false);
                    case "strcmatch" -> found(left, glob(constant(word())), true);
                    case "fnmatch" -> found(left, pathGlob(constant(word())), false);
                    default -> throw unknown("the operator " + operator);
                };
        return not ? new Not(term) : term;
    }

    /// As `SSLRequire` compares texts: the longer one is greater.
    private RequestTerm compared(Word left, String operator, Word right) {
        if (left.constant != null && right.constant == null) {
            String turned =
                    switch (operator) {
                        case "<", "lt" -> ">";
                        case "<=", "le" -> ">=";
                        case ">", "gt" -> "<";
                        case ">=", "ge" -> "<=";
                        default -> operator;
                    };
            return compared(right, turned, left);
        }
        String wanted = constant(right);
        if (left.constant != null) {
            throw unknown("a comparison of two texts");
        }
        RequestTerm same = equals(left, right);
        RequestTerm greater = found(left, RegexText.greater(wanted), false);
        return switch (operator) {
            case "==", "=", "eq" -> same;
            case "!=", "ne" -> new Not(same);
            case "<", "lt" -> new Not(new Any(List.of(greater, same)));
            case "<=", "le" -> new Not(greater);
            case ">", "gt" -> greater;
            case ">=", "ge" -> new Any(List.of(greater, same));
            default -> throw unknown("the operator " + operator);
        };
    }

    private RequestTerm unary(String operator) {
        return switch (operator) {
            case "n" -> found(word(), ".", false);
            case "z" -> new Not(found(word(), ".", false));
            case "T" -> new Not(found(word(), FALSE_WORDS, true));
            case "d", "f", "s", "L", "h" -> new Test(file(word(), "-" + operator));
            case "e" -> new Test(file(word(), FileTest.EXISTS));
            case "R" -> new Test(Condition.of(CLIENT, address(constant(word()))));
            default -> throw unknown("the operator -" + operator);
        };
    }

    /// What is asked of a file.
    private static Condition file(Word name, String test) {
        return Condition.of(name.template, test);
    }

    private String operator() {
        skipSpace();
        for (String symbol : List.of("=~", "!~", "==", "!=", "<=", ">=", "=", "<", ">")) {
            if (text.startsWith(symbol, at)) {
                at += symbol.length();
                return symbol;
            }
        }
        if (peek() == '-') {
            at++;
        }
        String name = name();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an operator is missing");
        }
        return name;
    }

    private RequestTerm found(Word word, String regex, boolean anyCase) {
        if (word.fold && !word.canBe(regex)) {
            throw unknown("the case of \"" + regex + "\"");
        }
        return new Test(new Condition(word.template, regex, anyCase || word.fold, false, false));
    }

    private RequestTerm equals(Word left, Word right) {
        if (left.constant != null && right.constant != null) {
            return new Constant(left.constant.equals(right.constant));
        }
        if (left.constant != null) {
            return equals(right, left);
        }
        String wanted = constant(right);
        return left.canBe(wanted)
                ? new Test(
                        new Condition(
                                left.template,
                                "^" + RegexText.quote(wanted) + "$",
                                left.fold,
                                false,
                                false))
                : new Constant(false);
    }

    private RequestTerm equalsNumber(Word left, Word right) {
        if (left.constant != null && right.constant == null) {
            return equalsNumber(right, left);
        }
        String wanted = constant(right);
        if (!wanted.matches("[0-9]{1,9}")) {
            throw unknown("the number \"" + wanted + "\"");
        }
        String digits = wanted.replaceFirst("^0+", "");
        return new Test(Condition.of(left.template, "^0*" + digits + "$"));
    }

    /// Numbers from a constant on, or from the one behind it.
    private RequestTerm numberFrom(Word left, Word right, int more) {
        String wanted = constant(right);
        if (left.constant != null || !wanted.matches("[0-9]{1,9}")) {
            throw unknown("the number \"" + wanted + "\"");
        }
        long least = Long.parseLong(wanted) + more;
        return least == 0
                ? new Constant(true)
                : found(left, RegexText.numberFrom(Long.toString(least)), false);
    }

    private RequestTerm after(Word left, Word right) {
        if (left.constant != null) {
            throw unknown("a comparison of a text with the request");
        }
        return found(left, RegexText.after(constant(right)), false);
    }

    private RequestTerm before(Word left, Word right) {
        return new Not(new Any(List.of(after(left, right), equals(left, right))));
    }

    private RequestTerm in(Word left) {
        expect("{");
        List<RequestTerm> terms = new ArrayList<>();
        do {
            terms.add(equals(left, word()));
        } while (takes(","));
        expect("}");
        return new Any(terms);
    }

    /// `/regex/flags`, or `m` with another delimiter.
    private RequestTerm matches(Word left) {
        skipSpace();
        if (peek() == 'm') {
            at++;
        }
        char delimiter = peek();
        if (DELIMITERS.indexOf(delimiter) < 0) {
            throw new IllegalArgumentException("a regular expression is written between slashes");
        }
        at++;
        StringBuilder regex = new StringBuilder();
        while (peek() != delimiter) {
            if (at >= text.length()) {
                throw new IllegalArgumentException("the regular expression does not end");
            }
            char c = text.charAt(at++);
            if (c == '\\' && peek() == delimiter) {
                regex.append(text.charAt(at++));
            } else if (c == '\\' && at < text.length()) {
                regex.append(c).append(text.charAt(at++));
            } else {
                regex.append(c);
            }
        }
        at++;
        String flags = name();
        if (!flags.matches("[is]*")) {
            throw unknown("the flag " + flags + " of a regular expression");
        }
        return found(left, regex.toString(), flags.indexOf('i') >= 0);
    }

    // Words

    private static String constant(Word word) {
        if (word.constant == null) {
            throw new IllegalArgumentException(
                    "comparing two values of the request is not supported");
        }
        return word.constant;
    }

    private Word word() {
        Word word = part();
        while (takes(".")) {
            Word more = part();
            if (word.fold || more.fold) {
                throw unknown("a part whose case is changed");
            }
            word =
                    new Word(
                            word.template + more.template,
                            word.constant == null || more.constant == null
                                    ? null
                                    : word.constant + more.constant,
                            false,
                            false);
        }
        return word;
    }

    private Word part() {
        skipSpace();
        char c = peek();
        if (c == '\'' || c == '"') {
            at++;
            return quoted(c);
        }
        if (c == '%' && text.startsWith("%{", at)) {
            return variable();
        }
        String name = name();
        if (name.matches("[0-9]+")) {
            return Word.of(name);
        }
        if (name.isEmpty() || peek() != '(') {
            throw unknown("\"" + text.substring(Math.min(at, text.length())) + "\"");
        }
        at++;
        Word argument = word();
        expect(")");
        return function(name.toLowerCase(Locale.ROOT), argument);
    }

    private Word variable() {
        int end = text.indexOf('}', at);
        if (end < 0) {
            throw new IllegalArgumentException("} is missing");
        }
        String name = text.substring(at + 2, end);
        at = end + 1;
        return of(name);
    }

    private Word of(String name) {
        String known = names.name(name).orElseThrow(() -> unknown("the variable %{" + name + "}"));
        return new Word("%{" + known + "}", null, false, false);
    }

    private Word function(String name, Word argument) {
        return switch (name) {
            case "req", "http", "req_novary", "env", "reqenv", "resp" ->
                    of(name + ":" + constant(argument));
            case "tolower", "toupper" -> {
                boolean lower = name.equals("tolower");
                String constant = argument.constant;
                Word folded = new Word(argument.template, constant, true, lower);
                yield constant == null ? folded : Word.of(folded.folded(constant));
            }
            default -> throw unknown("the function " + name);
        };
    }

    /// A text in quotes, with variables in it.
    private Word quoted(char quote) {
        StringBuilder template = new StringBuilder();
        StringBuilder constant = new StringBuilder();
        boolean same = true;
        while (peek() != quote) {
            if (at >= text.length()) {
                throw new IllegalArgumentException("a quote is not closed");
            }
            if (text.startsWith("%{", at)) {
                template.append(variable().template);
                same = false;
                continue;
            }
            char c = text.charAt(at++);
            if (c == '$' && Character.isDigit(peek())) {
                throw unknown("the back-reference $" + peek());
            }
            if (c == '\\' && at < text.length()) {
                c = text.charAt(at++);
            }
            template.append(HeaderFormat.literal(String.valueOf(c)));
            constant.append(c);
        }
        at++;
        return new Word(template.toString(), same ? constant.toString() : null, false, false);
    }

    /// The client's address with all its groups, as expressions for networks look at it.
    private Word address(Word word) {
        return word.template.equals("%{REMOTE_ADDR}") ? new Word(CLIENT, null, false, false) : word;
    }

    private String address(String network) {
        return AddressPattern.regex(network)
                .orElseThrow(() -> unknown("the address \"" + network + "\""));
    }

    private static String glob(String pattern) {
        return glob(pattern, ".");
    }

    /// No wildcard stands for a slash.
    private static String pathGlob(String pattern) {
        return glob(pattern, "[^/]");
    }

    private static String glob(String pattern, String any) {
        StringJoiner regex = new StringJoiner("", "^", "$");
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '[' || c == '\\') {
                throw new IllegalArgumentException("\"" + pattern + "\" is not understood");
            }
            regex.add(c == '*' ? any + "*" : c == '?' ? any : RegexText.quote("" + c));
        }
        return regex.toString();
    }
}
