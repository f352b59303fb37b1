package io.margay.gateway.login;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Somebody who has shown who he is. Immutable.
///
/// @param name empty where a service lets somebody in whom it does not name
/// @param groups in lower case, where case does not count
/// @param exact whether case counts: it does for roles, and not in a file of groups, as in httpd
/// @param method how it was shown, as `Basic`
/// @param claims what else is known that requirements ask for, by its name
public record LoginUser(
        String name,
        Set<String> groups,
        boolean exact,
        String method,
        Map<String, List<String>> claims) {
    /// The name of what a directory answers, among claims.
    public static final String ANSWERS = "ldap";

    /// By name and password in a field (RFC 7617).
    public static final String BASIC = "Basic";

    /// Without sending the password (RFC 7616).
    public static final String DIGEST = "Digest";

    /// By what a service says.
    public static final String SERVICE = "auth-request";

    /// At an OpenID provider.
    public static final String OPENID = "openid-connect";

    /// By a certificate, as the Servlet specification calls it.
    public static final String CERTIFICATE = "CLIENT_CERT";

    public LoginUser {
        groups = Set.copyOf(groups);
        claims = Map.copyOf(claims);
    }

    /// One of whom nothing else is known.
    public LoginUser(String name, Set<String> groups, boolean exact, String method) {
        this(name, groups, exact, method, Map.of());
    }

    /// What applications take for roles: those of the server's users, and no groups of a file.
    public Set<String> roles() {
        return exact ? groups : Set.of();
    }

    /// Whether the user is in a group.
    public boolean isIn(String group) {
        return groups.contains(exact ? group : group.toLowerCase(Locale.ROOT));
    }
}
