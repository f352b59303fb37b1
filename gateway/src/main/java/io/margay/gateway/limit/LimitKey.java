package io.margay.gateway.limit;

import java.util.regex.Pattern;

/// Of what requests are counted together. Where one has not got it, it is counted by its client's
/// address, so that nobody escapes by leaving it out.
public sealed interface LimitKey {
    /// All requests together.
    record Everybody() implements LimitKey {}

    /// Those of a client's address; with IPv6 those of its network of 64 bits.
    record Address() implements LimitKey {}

    /// Those of a client's network: 24 bits of IPv4, 48 of IPv6.
    record Network() implements LimitKey {}

    /// Those of a user who has logged in.
    record User() implements LimitKey {}

    /// Those of a path.
    record Path() implements LimitKey {}

    /// Those with the same value of a field.
    record Header(String name) implements LimitKey {}

    /// Those with the same value of a cookie.
    record Cookie(String name) implements LimitKey {}

    /// Those with the same text, asked for once rules have said where a request goes, and counted
    /// together with those of all limits and hosts that name the zone, as with nginx. Nobody counts
    /// those whose text is empty.
    ///
    /// @param text made as [io.margay.gateway.rules.VariableRule#value]
    /// @param status what those get that are too many
    record Zone(String name, String text, int status) implements LimitKey {}

    /// Names of fields and cookies (RFC 9110 §5.6.2).
    Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");

    /// What a word stands for: `all`, `address`, `network`, `user`, `path`, `session`,
    /// `header:NAME`, `cookie:NAME`.
    ///
    /// @throws IllegalArgumentException for any other
    static LimitKey parse(String word) {
        int colon = word.indexOf(':');
        String name = word.substring(colon + 1);
        if (colon >= 0 && !TOKEN.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is not a name");
        }
        return switch (word.substring(0, colon < 0 ? word.length() : colon + 1)) {
            case "all" -> new Everybody();
            case "address" -> new Address();
            case "network" -> new Network();
            case "user" -> new User();
            case "path" -> new Path();
            case "session" -> new Cookie("JSESSIONID");
            case "header:" -> new Header(name);
            case "cookie:" -> new Cookie(name);
            default ->
                    throw new IllegalArgumentException("\"" + word + "\" is not a key of a limit");
        };
    }
}
