package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine;
import io.margay.protocol.http.PathReading;
import io.margay.transport.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What Tomcat's `server.xml` amounts to. Immutable.
///
/// @param connectors empty when the file has none
/// @param hosts empty when the file has none
/// @param route the suffix of session identifiers (jvmRoute); empty = none
/// @param compression which responses are compressed; null = none
/// @param paths how paths are read that servers disagree about
/// @param account one line or more for each element
public record TomcatPlan(
        List<ConnectorPlan> connectors,
        List<HostPlan> hosts,
        String route,
        @Nullable CompressionPlan compression,
        PathReading paths,
        List<AccountLine> account) {
    public TomcatPlan {
        connectors = List.copyOf(connectors);
        hosts = List.copyOf(hosts);
        account = List.copyOf(account);
    }

    /// A `Connector`.
    ///
    /// @param host `*` for every address
    /// @param backlog length of the accept queue (acceptCount); 0 = not said
    /// @param connectionsMax open connections at most; 0 = not said
    public record ConnectorPlan(
            String host, int port, Protocol protocol, int backlog, int connectionsMax) {}

    /// Which responses are compressed.
    ///
    /// @param types media types; `*` = all
    /// @param minBytes shorter ones are not
    /// @param exceptAgents an expression for all of the `User-Agent` of clients that get none;
    ///   empty = there are no such
    public record CompressionPlan(List<String> types, long minBytes, String exceptAgents) {
        public CompressionPlan {
            types = List.copyOf(types);
        }
    }

    /// What a connector speaks, and how.
    public sealed interface Protocol {
        /// HTTP.
        ///
        /// @param tls how it speaks TLS, or null for plain text
        record Http(Carrier carrier, @Nullable TlsConfig tls) implements Protocol {}

        /// AJP13.
        ///
        /// @param secret empty = none
        record Ajp(String secret, int packetBytes) implements Protocol {}
    }

    /// What carries the bytes of a connector, by the class that it names.
    public enum Carrier {
        UNSAID,
        NIO,
        NATIVE
    }

    /// A `Host`.
    ///
    /// @param names in lower case; empty = every name that no other host has
    /// @param apps the folder of applications (appBase)
    /// @param logs a line per request in each
    public record HostPlan(
            List<String> names, Path apps, List<ContextPlan> contexts, List<LogPlan> logs) {
        public HostPlan {
            names = List.copyOf(names);
            contexts = List.copyOf(contexts);
            logs = List.copyOf(logs);
        }
    }

    /// A `Context` with a `docBase`.
    ///
    /// @param path empty for the root
    public record ContextPlan(String path, Path docBase, Map<String, String> parameters) {
        public ContextPlan {
            parameters = Map.copyOf(parameters);
        }
    }

    /// A log of requests.
    ///
    /// @param format as Apache's
    public record LogPlan(Path file, String format) {}
}
