package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.account.Meeting;
import io.margay.protocol.http.PathReading;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.config.PublicAddress;
import io.margay.transport.TlsConfig;
import io.margay.transport.unix.SocketAccess;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What Tomcat's `server.xml`, and the files beside it, amount to. Immutable.
///
/// @param connectors empty when the file has none
/// @param hosts empty when the file has none
/// @param route the suffix of session identifiers (jvmRoute); empty = none
/// @param compression which responses are compressed; null = none
/// @param paths how paths are read that servers disagree about
/// @param numbers limits and threads
/// @param deployment how applications come to be served
/// @param account one line or more for each element
@RecordBuilder
public record TomcatPlan(
        List<ConnectorPlan> connectors,
        List<HostPlan> hosts,
        String route,
        @Nullable CompressionPlan compression,
        PathReading paths,
        NumbersPlan numbers,
        DeploymentPlan deployment,
        List<AccountLine> account) {
    public TomcatPlan {
        connectors = List.copyOf(connectors);
        hosts = List.copyOf(hosts);
        account = List.copyOf(account);
    }

    /// Whether something would be open that was closed, or cannot be at all.
    public boolean isWrong() {
        return account.stream().anyMatch(line -> line.verdict() == Verdict.WRONG);
    }

    /// Which lines of the account requests meet.
    public Meeting meeting() {
        return new TomcatMeeting(
                account.stream().map(AccountLine::place).distinct().toList(),
                hosts.stream().flatMap(host -> Stream.ofNullable(host.apps)).distinct().toList());
    }

    /// The lines for which `check` fails.
    public List<AccountLine> failures() {
        return account.stream().filter(AccountLine::isFailure).toList();
    }

    /// A `Connector`.
    ///
    /// @param host `*` for every address
    /// @param backlog length of the accept queue (acceptCount); 0 = not said
    /// @param connectionsMax open connections at most; 0 = not said
    /// @param characters what request targets may have
    /// @param address what clients use for it, where a front end does not say so
    /// @param socket a Unix socket, in place of host and port; null = there is none
    /// @param access who may connect to that
    @RecordBuilder
    public record ConnectorPlan(
            String host,
            int port,
            Protocol protocol,
            int backlog,
            int connectionsMax,
            RequestTarget.Characters characters,
            PublicAddress address,
            @Nullable Path socket,
            SocketAccess access) {}

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
        /// @param trustUser whether a user is believed whom the front end has let in
        /// @param attributes which request attributes a front end may set, an expression; null =
        ///   those that are known
        /// @param idle how long a connection may wait for the next request; null = not said
        record Ajp(
                String secret,
                int packetBytes,
                boolean trustUser,
                @Nullable String attributes,
                @Nullable Duration idle)
                implements Protocol {
            /// Without the secret.
            @Override
            public String toString() {
                return "Ajp[secret=" + (secret.isEmpty() ? "none" : "hidden") + "]";
            }
        }
    }

    /// What carries the bytes of a connector, by the class that it names.
    public enum Carrier {
        UNSAID,
        NIO,
        NATIVE
    }

    /// A `Host`.
    ///
    /// @param names in lower case, that of the host first; `*` among them = every name that no
    ///   other host has
    /// @param apps the folder of applications (appBase); null = none is deployed by being there
    /// @param logs a line per request in each
    /// @param errorPages files by status, which are shown where no application answers; 0 = every
    ///   status that has no other
    /// @param places addresses of the connectors of its `Service`; empty = all
    public record HostPlan(
            List<String> names,
            @Nullable Path apps,
            List<ContextPlan> contexts,
            List<LogPlan> logs,
            Map<Integer, Path> errorPages,
            List<String> places) {
        public HostPlan {
            names = List.copyOf(names);
            contexts = List.copyOf(contexts);
            logs = List.copyOf(logs);
            errorPages = Map.copyOf(errorPages);
            places = List.copyOf(places);
        }
    }

    /// A `Context` with a `docBase` of its own.
    ///
    /// @param path empty for the root
    /// @param version of several at the path, by the name of its descriptor; empty = none
    public record ContextPlan(
            String path, String version, Path docBase, Map<String, String> parameters) {
        public ContextPlan {
            parameters = Map.copyOf(parameters);
        }
    }

    /// A log of requests.
    ///
    /// @param format as Apache's
    public record LogPlan(Path file, String format) {}

    /// Limits and threads: those of the first connector that says them.
    ///
    /// @param said by the attribute's name; times are in milliseconds
    /// @param virtual whether every request has a virtual thread
    /// @param trace whether applications are asked TRACE
    public record NumbersPlan(Map<String, Integer> said, boolean virtual, boolean trace) {
        public NumbersPlan {
            said = Map.copyOf(new TreeMap<>(said));
        }

        /// The number of a name, or what holds otherwise.
        public int or(String name, int otherwise) {
            return said.getOrDefault(name, otherwise);
        }

        /// The time of a name, or what holds otherwise.
        public Duration or(String name, Duration otherwise) {
            Integer millis = said.get(name);
            return millis == null ? otherwise : Duration.ofMillis(millis);
        }
    }

    /// How applications come to be served.
    ///
    /// @param base the `CATALINA_BASE`; null = a file alone was read
    /// @param users the file of users of the whole server; null = there is none
    /// @param autoDeploy whether what changes while the server runs is deployed anew
    /// @param undeployOldVersions whether a version that is not the newest is undeployed
    /// @param errorDetails whether an error page shows the exception
    public record DeploymentPlan(
            @Nullable Path base,
            @Nullable Path users,
            boolean autoDeploy,
            boolean undeployOldVersions,
            boolean errorDetails) {}
}
