package io.margay.compat.tomcat.filter;

import io.margay.protocol.http.HttpDate;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells by content type how long an answer may be kept, unless the application told that itself:
/// `Expires` and `Cache-Control: max-age`. Written by the starting thread, then immutable.
public final class ExpiresFilter implements Filter {
    private static final String BY_TYPE = "ExpiresByType";
    private static final String DEFAULT = "ExpiresDefault";
    private static final String EXCLUDED = "ExpiresExcludedResponseStatusCodes";
    private static final String CACHE_CONTROL = "Cache-Control";

    private final InstantSource clock;
    private final Map<String, ExpiryRule> byType = new HashMap<>();
    private final Set<Integer> excluded = new HashSet<>();
    private @Nullable ExpiryRule otherwise;

    public ExpiresFilter() {
        this(InstantSource.system());
    }

    ExpiresFilter(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams params = InitParams.of(config);
        for (Map.Entry<String, String> given : params.startingWith(BY_TYPE).entrySet()) {
            ExpiryRule rule = rule(params, BY_TYPE + " " + given.getKey(), given.getValue());
            byType.put(normalised(given.getKey()), rule);
        }
        String absent = params.optional(DEFAULT);
        otherwise = absent == null ? null : rule(params, DEFAULT, absent);
        for (String status : params.list(EXCLUDED, "304")) {
            if (!status.matches("[1-9][0-9]{2}")) {
                throw params.wrong(EXCLUDED, "'" + status + "' is not a status");
            }
            excluded.add(Integer.valueOf(status));
        }
        params.warnOfUnknown();
    }

    private static ExpiryRule rule(InitParams params, String name, String text)
            throws ServletException {
        try {
            return ExpiryRule.parse(text);
        } catch (IllegalArgumentException e) {
            throw params.wrong(name, String.valueOf(e.getMessage()));
        }
    }

    private static String normalised(String type) {
        return type.toLowerCase(Locale.ROOT).replace(" ", "");
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(response instanceof HttpServletResponse http)) {
            chain.doFilter(request, response);
            return;
        }
        CommitHookResponse hooked = new CommitHookResponse(http, () -> tell(http));
        chain.doFilter(request, hooked);
        if (!request.isAsyncStarted()) {
            hooked.callHook();
        }
    }

    private void tell(HttpServletResponse response) {
        String control = response.getHeader(CACHE_CONTROL);
        if (excluded.contains(response.getStatus())
                || response.containsHeader("Expires")
                || (control != null && control.toLowerCase(Locale.ROOT).contains("max-age"))) {
            return;
        }
        ExpiryRule rule = select(response.getContentType());
        Instant base = rule == null ? null : base(rule, response);
        if (rule == null || base == null) {
            return;
        }
        long expires = rule.after(base).getEpochSecond();
        long seconds = Math.max(0, expires - clock.instant().getEpochSecond());
        String told = control == null || control.isEmpty() ? "" : control + ", ";
        response.setHeader(CACHE_CONTROL, told + "max-age=" + seconds);
        response.setHeader("Expires", HttpDate.format(expires));
    }

    /// The rule of the type with its parameters, of the type, of its family, or the default.
    private @Nullable ExpiryRule select(@Nullable String type) {
        if (type == null) {
            return null;
        }
        String whole = normalised(type);
        int semicolon = whole.indexOf(';');
        String essence = semicolon < 0 ? whole : whole.substring(0, semicolon);
        int slash = essence.indexOf('/');
        String family = slash < 0 ? essence : essence.substring(0, slash);
        for (String name : new String[] {whole, essence, family}) {
            ExpiryRule rule = byType.get(name);
            if (rule != null) {
                return rule;
            }
        }
        return otherwise;
    }

    /// Null when the rule counts from a modification that is not known.
    private @Nullable Instant base(ExpiryRule rule, HttpServletResponse response) {
        if (!rule.fromModification()) {
            return clock.instant();
        }
        String modified = response.getHeader("Last-Modified");
        long second = modified == null ? HttpDate.INVALID : HttpDate.parse(modified);
        return second == HttpDate.INVALID ? null : Instant.ofEpochSecond(second);
    }
}
