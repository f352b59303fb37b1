package io.margay.valkey;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/// Where Valkey is: `redis://[[user]:password@]host[:port][/database]`, with `rediss` for TLS,
/// `+sentinel` or `+cluster` after that, and then several hosts with commas between. `valkey` and
/// `valkeys` are the same as `redis` and `rediss`. Immutable; never shown, for the password.
///
/// @param user null = `default`
/// @param primary what sentinels call the primary; empty = there are none
/// @param authority PEM file of who signs the certificates; null = the JDK's authorities
public record ValkeyUrl(
        Form form,
        boolean tls,
        List<HostAndPort> hosts,
        @Nullable String user,
        @Nullable String password,
        int database,
        String primary,
        @Nullable String authority) {
    public static final String EXAMPLE = "redis://host:6379, rediss://user:password@host:6379/0";

    private static final int PORT = 6379;
    private static final int SENTINEL_PORT = 26379;

    /// What answers at the hosts.
    public enum Form {
        SINGLE,
        SENTINEL,
        CLUSTER
    }

    /// Reads a URL.
    ///
    /// @throws IllegalArgumentException with a message that does not show the URL
    public static ValkeyUrl of(String url) {
        int mark = url.indexOf("://");
        if (mark < 0) {
            throw wrong("has no scheme");
        }
        String scheme = url.substring(0, mark).toLowerCase(Locale.ROOT);
        String rest = url.substring(mark + 3);
        String authority = null;
        int query = rest.indexOf('?');
        if (query >= 0) {
            if (!rest.startsWith("ca=", query + 1)) {
                throw wrong("has a query that is not \"ca=FILE\"");
            }
            authority = decoded(rest.substring(query + 4));
            rest = rest.substring(0, query);
        }
        int plus = scheme.indexOf('+');
        Form form = form(plus < 0 ? "" : scheme.substring(plus + 1));
        boolean tls = tls(plus < 0 ? scheme : scheme.substring(0, plus));
        int at = rest.lastIndexOf('@');
        String login = at < 0 ? "" : rest.substring(0, at);
        String places = rest.substring(at + 1);
        int slash = places.indexOf('/');
        String[] path = slash < 0 ? new String[0] : places.substring(slash + 1).split("/", -1);
        List<HostAndPort> hosts = hosts(slash < 0 ? places : places.substring(0, slash), form);
        int colon = login.indexOf(':');
        if (at >= 0 && colon < 0) {
            throw wrong("has a user without a password");
        }
        String user = colon <= 0 ? null : decoded(login.substring(0, colon));
        String password = colon < 0 ? null : decoded(login.substring(colon + 1));
        boolean sentinel = form == Form.SENTINEL;
        if (sentinel && (path.length == 0 || path[0].isEmpty())) {
            throw wrong("does not name the primary, as in redis+sentinel://host:26379/primary");
        }
        int database = database(path, sentinel ? 1 : 0);
        if (form == Form.CLUSTER && database != 0) {
            throw wrong("names a database: a cluster has only one");
        }
        return new ValkeyUrl(
                form,
                tls,
                hosts,
                user,
                password,
                database,
                sentinel ? decoded(path[0]) : "",
                authority);
    }

    private static Form form(String word) {
        return switch (word) {
            case "" -> Form.SINGLE;
            case "sentinel" -> Form.SENTINEL;
            case "cluster" -> Form.CLUSTER;
            default -> throw wrong("has a scheme that is not known");
        };
    }

    private static boolean tls(String scheme) {
        return switch (scheme) {
            case "redis", "valkey" -> false;
            case "rediss", "valkeys" -> true;
            default -> throw wrong("has a scheme that is not known");
        };
    }

    private static List<HostAndPort> hosts(String text, Form form) {
        List<HostAndPort> hosts = new ArrayList<>();
        for (String place : text.split(",", -1)) {
            int colon = place.lastIndexOf(':');
            boolean port = colon > place.lastIndexOf(']');
            String host = port ? place.substring(0, colon) : place;
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            if (host.isEmpty()) {
                throw wrong("has no host");
            }
            int byDefault = form == Form.SENTINEL ? SENTINEL_PORT : PORT;
            hosts.add(
                    new HostAndPort(
                            host, port ? number(place.substring(colon + 1), 65535) : byDefault));
        }
        if (form == Form.SINGLE && hosts.size() > 1) {
            throw wrong("has several hosts: write redis+cluster:// or redis+sentinel://");
        }
        return List.copyOf(hosts);
    }

    private static int database(String[] path, int at) {
        if (path.length > at + 1) {
            throw wrong("has a path that is too long");
        }
        return path.length <= at || path[at].isEmpty() ? 0 : number(path[at], 1 << 20);
    }

    private static int number(String text, int max) {
        if (text.isEmpty()
                || text.length() > 7
                || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw wrong("has a port or a database that is not a number");
        }
        int number = Integer.parseInt(text);
        if (number > max) {
            throw wrong("has a port or a database that is too large");
        }
        return number;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the URL has a % without two hex digits", e);
        }
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("the URL " + what + "; it is like " + EXAMPLE);
    }

    @Override
    public String toString() {
        return form + " at " + hosts;
    }
}
