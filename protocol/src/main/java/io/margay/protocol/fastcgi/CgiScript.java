package io.margay.protocol.fastcgi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// The script of a request where somebody else than its path says which it is, as httpd does, which
/// looks for the file first. Immutable.
///
/// @param environment variables of the request; what its head says takes the place of them
/// @param parameters what is said of the script; they take the place of all others
/// @param only whether nothing else is said of the request but its fields, with its credentials
public record CgiScript(
        Map<String, String> environment, Map<String, String> parameters, boolean only) {
    /// Which a name ends with whose value is not told when it is empty.
    private static final String NOT_EMPTY = "?";

    /// The value of a parameter that is not told; none can have it, for it has a zero.
    static final String NOTHING = "\0";

    /// Which a name ends with whose value is what is known of the request.
    static final String KNOWN = "=";

    /// The rest is said of the request by its head and its connection.
    public CgiScript(Map<String, String> environment, Map<String, String> parameters) {
        this(environment, parameters, false);
    }

    public CgiScript {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /// One of which nothing but this is told, as nginx tells programs.
    ///
    /// @param parameters by their names; behind a name may stand `?`, which tells nothing where the
    ///   value is empty, or `=`, which tells what is known of the request by that name
    public static CgiScript told(Map<String, String> parameters) {
        Map<String, String> all = new LinkedHashMap<>();
        Map<String, String> optional = new LinkedHashMap<>();
        parameters.forEach((name, value) -> {
            boolean is = name.endsWith(NOT_EMPTY);
            String plain = is ? name.substring(0, name.length() - 1) : name;
            (is ? optional : all).put(plain, isOfPath(plain) ? CgiRequest.octets(value) : value);
        });
        optional.forEach((name, value) -> {
            if (!value.isEmpty()) {
                all.put(name, value);
            } else {
                // Kept, so that no field of the request is told in its place.
                all.putIfAbsent(name, NOTHING);
            }
        });
        return new CgiScript(Map.of(), all, true);
    }

    /// Whether a parameter is text, where fields of requests are octets.
    private static boolean isOfPath(String name) {
        return name.startsWith("SCRIPT_")
                || name.startsWith("DOCUMENT_")
                || name.startsWith("PATH_");
    }
}
