package io.margay.app.deploy;

import java.util.List;

/// Names one application of a server: what stays the same when it is deployed again. Immutable.
///
/// @param host names of its host
/// @param contextPath empty for the root
/// @param version empty for none
public record AppName(List<String> host, String contextPath, String version) {
    public AppName {
        host = List.copyOf(host);
    }

    /// As Tomcat writes it: `/shop##2`.
    @Override
    public String toString() {
        String path = contextPath.isEmpty() ? "/" : contextPath;
        return version.isEmpty() ? path : path + "##" + version;
    }
}
