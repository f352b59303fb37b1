package io.margay.gateway.config;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where peers of an upstream come from while it is at work. Immutable.
///
/// @param pattern what its peers are beside name, address and share
/// @param every how often it is looked at; zero = as often as its answers say themselves
/// @param drain how long a peer that is not named any more gets the requests of its sessions
/// @param hold how long the peers stay when the source says for certain that there are none
public record MemberSource(
        Place place, PeerConfig pattern, Duration every, Duration drain, Duration hold) {
    /// Where peers are named.
    public sealed interface Place {
        /// As the configuration says it, such as `file members.txt`.
        @Override
        String toString();
    }

    /// A file with a line for each peer.
    ///
    /// @param namesByRoute whether peers without a name are called by their routes
    public record MemberFile(Path path, boolean namesByRoute) implements Place {
        @Override
        public String toString() {
            return "file " + path;
        }
    }

    /// Which addresses of a host are meant.
    public enum Family {
        ANY,
        IPV4,
        IPV6
    }

    /// The addresses that a name service has for a name, each of them a peer.
    ///
    /// @param port of all of them
    /// @param resolvers servers that are asked; empty = the system's
    public record Addresses(String name, int port, Family family, List<InetSocketAddress> resolvers)
            implements Place {
        public Addresses {
            resolvers = List.copyOf(resolvers);
        }

        @Override
        public String toString() {
            return "dns " + name;
        }
    }

    /// The hosts that a name service has for a service (SRV, RFC 2782), with ports and weights.
    ///
    /// @param resolvers servers that are asked; empty = the system's
    public record Services(String name, Family family, List<InetSocketAddress> resolvers)
            implements Place {
        public Services {
            resolvers = List.copyOf(resolvers);
        }

        @Override
        public String toString() {
            return "srv " + name;
        }
    }

    /// Whoever knows a token registers here, for as long as its lease.
    ///
    /// @param tokenFile the file with the token
    /// @param networks whose addresses may be registered; empty = everybody's own
    /// @param patience how long a start that knows of nobody waits for the first one
    public record Registered(Path tokenFile, List<String> networks, Duration patience)
            implements Place {
        public Registered {
            networks = List.copyOf(networks);
        }

        @Override
        public String toString() {
            return "registered";
        }
    }

    /// Whoever knows a token registers in an engine, for as long as its lease.
    ///
    /// @param url where the engine is; it may have a password, so it is never shown
    /// @param upstream under which members register there
    /// @param tokenFile the file with the token, by which registrations are signed
    /// @param networks whose addresses may be registered
    public record Registry(String url, String upstream, Path tokenFile, List<String> networks)
            implements Place {
        public Registry {
            networks = List.copyOf(networks);
        }

        @Override
        public String toString() {
            return "registered through an engine";
        }
    }

    /// The pods of a service of Kubernetes.
    ///
    /// @param api where its API is
    /// @param namespace empty = that of this pod, which stands beside the token
    /// @param port its name or number; empty = the only one
    /// @param tokenFile the token of a service account, which is read again as it changes
    /// @param trust PEM file of the authorities of the API; null = the JDK's
    public record Kubernetes(
            URI api,
            String namespace,
            String service,
            String port,
            Family family,
            Path tokenFile,
            @Nullable Path trust)
            implements Place {
        @Override
        public String toString() {
            return "kubernetes " + (namespace.isEmpty() ? "" : namespace + "/") + service;
        }
    }

    /// The keys of etcd below a prefix, each a member.
    ///
    /// @param servers of one cluster, of which one is asked
    /// @param user empty = none
    /// @param passwordFile the file with the password of the user; null = there is none
    /// @param trust PEM file of the authorities of the servers; null = the JDK's
    public record Etcd(
            List<URI> servers,
            String prefix,
            String user,
            @Nullable Path passwordFile,
            @Nullable Path trust)
            implements Place {
        public Etcd {
            servers = List.copyOf(servers);
        }

        @Override
        public String toString() {
            return "etcd " + prefix;
        }
    }

    /// A peer of this source.
    ///
    /// @param path put before every request's path, empty or `/…`
    public PeerConfig member(String name, PeerAddress at, String path, PeerConfig.Share share) {
        return PeerConfigBuilder.builder(pattern)
                .name(name)
                .url(new PeerUrl(at, path))
                .share(share)
                .build();
    }
}
