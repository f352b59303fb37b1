package io.margay.protocol.fastcgi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// The script of a request where somebody else than its path says which it is, as httpd does, which
/// looks for the file first. Immutable.
///
/// @param environment variables of the request; what its head says takes the place of them
/// @param parameters what is said of the script; they take the place of all others
public record CgiScript(Map<String, String> environment, Map<String, String> parameters) {
    public CgiScript {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }
}
