package io.margay.app.deploy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names one application of a server: what stays the same when it is deployed again. Immutable.
///
/// @param host names of its host
/// @param contextPath empty for the root
/// @param version empty for none
public record AppName(List<String> host, String contextPath, String version) {
    public AppName {
        host = List.copyOf(host);
    }

    /// In place of the record's own, whose code the JVM makes at each start.
    @Override
    public int hashCode() {
        return 31 * (31 * host.hashCode() + contextPath.hashCode()) + version.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AppName that
                && host.equals(that.host)
                && contextPath.equals(that.contextPath)
                && version.equals(that.version);
    }

    /// As Tomcat writes it: `/shop##2`.
    @Override
    public String toString() {
        String path = contextPath.isEmpty() ? "/" : contextPath;
        return version.isEmpty() ? path : path + "##" + version;
    }
}
