package io.margay.compat.httpd.proxy;

import io.margay.gateway.config.HealthConfig.ExpectedResponse;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// Reads the expressions of `ProxyHCExpr` that are a range of statuses, a text that the body
/// contains, or both. Stateless.
public final class HealthExpression {
    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 599;

    private static final Pattern STATUS_IS =
            Pattern.compile("%\\{REQUEST_STATUS}\\s*(?:-(eq|lt|le|gt|ge)|==|=)\\s*'?([0-9]{3})'?");
    private static final Pattern STATUS_MATCHES =
            Pattern.compile("%\\{REQUEST_STATUS}\\s*=~\\s*m?([/#])(.*)\\1");
    private static final Pattern BODY =
            Pattern.compile("hc\\(\\s*['\"]?body['\"]?\\s*\\)\\s*=~\\s*m?([/#])(.*)\\1");

    private HealthExpression() {}

    /// What answer is good; empty for what is neither.
    public static Optional<ExpectedResponse> parse(String text) {
        String inner = text.strip();
        if (inner.startsWith("{") && inner.endsWith("}")) {
            inner = inner.substring(1, inner.length() - 1);
        }
        boolean[] good = new boolean[STATUS_MAX + 1];
        Arrays.fill(good, STATUS_MIN, good.length, true);
        String body = null;
        for (String part : inner.split("&&")) {
            String term = part.strip();
            Matcher contains = BODY.matcher(term);
            if (contains.matches() && body == null) {
                body = literal(contains.group(2));
                if (body == null) {
                    return Optional.empty();
                }
            } else if (!keep(good, term)) {
                return Optional.empty();
            }
        }
        return range(good, body);
    }

    /// Keeps the statuses for which a term holds; false when it is not about them.
    private static boolean keep(boolean[] good, String term) {
        Matcher compared = STATUS_IS.matcher(term);
        Matcher found = STATUS_MATCHES.matcher(term);
        try {
            if (compared.matches()) {
                int than = Integer.parseInt(compared.group(2));
                String operator = compared.group(1) == null ? "eq" : compared.group(1);
                for (int i = STATUS_MIN; i <= STATUS_MAX; i++) {
                    good[i] &= holds(operator, Integer.compare(i, than));
                }
                return true;
            }
            if (found.matches()) {
                Pattern regex = Pattern.compile(found.group(2));
                for (int i = STATUS_MIN; i <= STATUS_MAX; i++) {
                    good[i] &= regex.matcher(Integer.toString(i)).find();
                }
                return true;
            }
        } catch (PatternSyntaxException e) {
            return false;
        }
        return false;
    }

    private static boolean holds(String operator, int compared) {
        return switch (operator) {
            case "lt" -> compared < 0;
            case "le" -> compared <= 0;
            case "gt" -> compared > 0;
            case "ge" -> compared >= 0;
            default -> compared == 0;
        };
    }

    /// Only statuses that follow one another are a range.
    private static Optional<ExpectedResponse> range(boolean[] good, @Nullable String body) {
        int from = STATUS_MIN;
        while (from <= STATUS_MAX && !good[from]) {
            from++;
        }
        int to = STATUS_MAX;
        while (to >= from && !good[to]) {
            to--;
        }
        for (int i = from; i <= to; i++) {
            if (!good[i]) {
                return Optional.empty();
            }
        }
        return from > to ? Optional.empty() : Optional.of(new ExpectedResponse(from, to, body));
    }

    /// What an expression without signs finds, or null.
    private static @Nullable String literal(String regex) {
        String plain = regex.replaceAll("\\\\([^A-Za-z0-9])", "$1");
        boolean signs =
                regex.replaceAll("\\\\[^A-Za-z0-9]", "").matches(".*[\\\\^$.|?*+()\\[\\]{}].*");
        return signs || plain.isEmpty() ? null : plain;
    }
}
