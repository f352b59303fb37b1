package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import io.margay.compat.tomcat.filter.PrintableText;
import io.margay.server.regex.BoundedPattern;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Who may come in: what `deny` matches may not, and what `allow` does not match may not when there
/// is an `allow`. Immutable.
public final class AccessRule {
    private static final System.Logger LOG = System.getLogger(AccessRule.class.getName());

    private final @Nullable Predicate<String> allow;
    private final @Nullable Predicate<String> deny;
    private final int denyStatus;
    private final boolean withPort;

    private AccessRule(
            @Nullable Predicate<String> allow,
            @Nullable Predicate<String> deny,
            int denyStatus,
            boolean withPort) {
        this.allow = allow;
        this.deny = deny;
        this.denyStatus = denyStatus;
        this.withPort = withPort;
    }

    /// A rule whose `allow` and `deny` are regular expressions for the whole subject.
    public static AccessRule ofPatterns(InitParams params) throws ServletException {
        BoundedPattern allow = params.pattern("allow");
        BoundedPattern deny = params.pattern("deny");
        boolean withPort = params.flag("addConnectorPort", false);
        return checked(
                params,
                allow == null ? null : allow::matches,
                deny == null ? null : deny::matches,
                withPort);
    }

    /// A rule whose `allow` and `deny` are blocks of addresses.
    public static AccessRule ofBlocks(InitParams params) throws ServletException {
        AddressList allow = AddressList.of(params, "allow");
        AddressList deny = AddressList.of(params, "deny");
        if (params.flag("addConnectorPort", false)) {
            throw params.wrong("addConnectorPort", "ports are not distinguished; remove it");
        }
        return checked(
                params,
                allow == null ? null : allow::contains,
                deny == null ? null : deny::contains,
                false);
    }

    private static AccessRule checked(
            InitParams params,
            @Nullable Predicate<String> allow,
            @Nullable Predicate<String> deny,
            boolean withPort)
            throws ServletException {
        for (String name : List.of("allow", "deny")) {
            String value = params.optional(name);
            if (value != null && value.isEmpty()) {
                throw params.wrong(name, "it is empty; remove it or give it a value");
            }
            if (value != null && value.contains("${")) {
                throw params.wrong(name, "properties are not replaced here; write the value");
            }
        }
        if (allow == null && deny == null) {
            throw params.wrong("allow", "without allow or deny nobody would be admitted; give one");
        }
        int status = (int) params.number("denyStatus", HttpServletResponse.SC_FORBIDDEN, 400, 599);
        for (String name : List.of("invalidAuthenticationWhenDeny", "usePeerAddress")) {
            if (params.flag(name, false)) {
                throw params.wrong(name, "this mode is not supported; remove it");
            }
        }
        params.refuseUnknown();
        return new AccessRule(allow, deny, status, withPort);
    }

    /// Goes on when the client may come in, else answers.
    ///
    /// @param spellings of what the client is known by: `deny` holds when it matches any of them,
    ///   `allow` likewise; none = the client is not known and is refused
    void apply(
            List<String> spellings,
            ServletRequest request,
            ServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        String suffix = withPort ? ";" + request.getLocalPort() : "";
        List<String> subjects = spellings.stream().map(spelling -> spelling + suffix).toList();
        if (admits(subjects)) {
            chain.doFilter(request, response);
            return;
        }
        LOG.log(Level.DEBUG, () -> "refused " + PrintableText.of(String.join(" ", subjects)));
        ((HttpServletResponse) response).sendError(denyStatus);
    }

    private boolean admits(List<String> subjects) {
        if (subjects.isEmpty() || (deny != null && subjects.stream().anyMatch(deny))) {
            return false;
        }
        return allow == null || subjects.stream().anyMatch(allow);
    }
}
