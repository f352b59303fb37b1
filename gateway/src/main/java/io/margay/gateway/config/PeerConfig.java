package io.margay.gateway.config;

import io.margay.protocol.ajp.AjpLimits;
import io.margay.transport.TlsClientConfig.Unverified;
import io.margay.transport.TlsConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One peer of an upstream. Immutable.
///
/// @param name unique within the upstream: mod_jk's worker name, mod_proxy's URL
/// @param url where it is, and what is put before every request's path there
/// @param root folder of the scripts of a FastCGI peer, as the peer sees it; null for others
@RecordBuilder
public record PeerConfig(
        String name,
        PeerUrl url,
        @Nullable String root,
        Share share,
        Pool pool,
        Timeouts timeouts,
        Ajp ajp,
        Failures failures,
        Tls tls)
        implements PeerConfigBuilder.With {
    /// A peer with every default.
    public static PeerConfig of(String name, PeerAddress address) {
        return new PeerConfig(
                name,
                new PeerUrl(address, ""),
                null,
                Share.defaults(name),
                Pool.defaults(),
                Timeouts.defaults(),
                Ajp.defaults(),
                Failures.defaults(),
                Tls.defaults());
    }

    /// By what gateways of a group, and an upgrade, know it again.
    public String nameAndAddress() {
        return name + " " + address();
    }

    /// Where it is.
    public PeerAddress address() {
        return url.address();
    }

    /// What is put before every request's path.
    public String path() {
        return url.path();
    }

    /// The same elsewhere.
    public PeerConfig withAddress(PeerAddress other) {
        return withUrl(new PeerUrl(other, path()));
    }

    /// Its share of the requests.
    ///
    /// @param route the session suffix that belongs to it; empty = none
    /// @param domain mod_jk's domain: peers that know one another's sessions; empty = none
    /// @param redirect the route to which its sessions go when it is in error; empty = none
    /// @param weight 1 is one share; above 0
    /// @param distance peers with the smallest distance are used first (`distance`, `lbset`)
    /// @param busyMax requests at one time at most; 0 = no limit
    /// @param zone where it is, as in `eu-1a`; empty = not known
    @RecordBuilder
    public record Share(
            String route,
            String domain,
            String redirect,
            double weight,
            int distance,
            Activation activation,
            Roles roles,
            int busyMax,
            String zone)
            implements PeerConfigShareBuilder.With {
        /// What mod_proxy's statuses say.
        ///
        /// @param standby whether it is used only when no other of its distance is left (H)
        /// @param spare whether it stands in for one missing peer (R)
        /// @param ignoreErrors whether it is never put into error (I)
        public record Roles(boolean standby, boolean spare, boolean ignoreErrors) {
            /// A usual peer.
            public static final Roles NONE = new Roles(false, false, false);
        }

        /// Whether it is used only when no other of its distance is left.
        public boolean standby() {
            return roles.standby;
        }

        /// Whether it stands in for one missing peer.
        public boolean spare() {
            return roles.spare;
        }

        /// Whether it is never put into error.
        public boolean ignoreErrors() {
            return roles.ignoreErrors;
        }

        /// One share, with the peer's name as its route.
        public static Share defaults(String route) {
            return new Share(route, "", "", 1, 0, Activation.ACTIVE, Roles.NONE, 0, "");
        }

        /// The same, one farther off, and perhaps for requests of its sessions alone.
        public Share farther(boolean disabled) {
            boolean less = disabled && activation == Activation.ACTIVE;
            return PeerConfigShareBuilder.builder(this)
                    .distance(distance + 1)
                    .activation(less ? Activation.DISABLED : activation)
                    .build();
        }

        /// The same with other names: where its sessions are found, and where they go without it.
        public Share withRoutes(String route, String domain, String redirect) {
            return PeerConfigShareBuilder.builder(this)
                    .route(route)
                    .domain(domain)
                    .redirect(redirect)
                    .build();
        }

        /// The same in other roles of mod_proxy.
        public Share withRoles(boolean standby, boolean spare, boolean ignoreErrors) {
            return withRoles(new Roles(standby, spare, ignoreErrors));
        }
    }

    /// Its connections.
    ///
    /// @param max open at one time at most; 0 = no limit
    /// @param min kept open however long they are idle
    /// @param idle how long an unused connection is kept; zero = for ever
    /// @param acquire how long a request waits for a connection when all are in use
    /// @param reuse whether a connection carries more than one request
    /// @param lifetime how long a connection is used in all; zero = for ever
    /// @param proxyProtocol how the peer is told of the client before the request: then no
    ///   connection carries a second one
    public record Pool(
            int max,
            int min,
            Duration idle,
            Duration acquire,
            boolean reuse,
            Duration lifetime,
            ProxyVersion proxyProtocol) {
        public Pool {
            reuse &= proxyProtocol == ProxyVersion.NONE;
        }

        /// Without the PROXY protocol.
        public Pool(
                int max,
                int min,
                Duration idle,
                Duration acquire,
                boolean reuse,
                Duration lifetime) {
            this(max, min, idle, acquire, reuse, lifetime, ProxyVersion.NONE);
        }

        /// As many as needed, kept for a minute.
        public static Pool defaults() {
            return new Pool(
                    0, 0, Duration.ofSeconds(60), Duration.ofSeconds(5), true, Duration.ZERO);
        }
    }

    /// Whether a peer of HTTP/1.1 is asked for 100 before it gets content: HTTP/2 and AJP13 have
    /// pings of their own.
    public boolean asksForContinue() {
        PeerScheme scheme = address().scheme();
        return scheme.isHttp() && !scheme.isHttp2() && ajp.pings().contains(Ping.PREPOST);
    }

    /// How long the gateway waits for it. Zero stands for no limit, but in `ping`.
    ///
    /// @param connect for the connection
    /// @param reply for the next byte of the response
    /// @param io for room to send, and for the next byte within a response that has begun
    /// @param ping for the response to CPING or to `Expect: 100-continue` before a request
    public record Timeouts(Duration connect, Duration reply, Duration io, Duration ping) {
        /// 5 s to connect, 60 s for a response.
        public static Timeouts defaults() {
            return new Timeouts(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(10));
        }
    }

    /// What concerns AJP13 alone (`secret` aside, others ignore it).
    ///
    /// @param secret shared with the container, or null
    /// @param packetBytesMax 8192 to 65536
    /// @param pings when a connection is tried by CPING before it is used
    public record Ajp(@Nullable String secret, int packetBytesMax, Set<Ping> pings) {
        public Ajp {
            pings = Set.copyOf(pings);
        }

        /// No secret, packets of 8192 bytes, no pings.
        public static Ajp defaults() {
            return new Ajp(null, AjpLimits.PACKET_BYTES_DEFAULT, Set.of());
        }

        @Override
        public String toString() {
            return "Ajp[secret="
                    + (secret == null ? "none" : "hidden")
                    + ", packetBytesMax="
                    + packetBytesMax
                    + ", pings="
                    + pings
                    + "]";
        }
    }

    /// What concerns peers behind TLS alone.
    ///
    /// @param verify whether the peer's certificate is checked
    /// @param trust PEM file of the authorities that are trusted; null = the JDK's
    /// @param serverName the name that the certificate must be for; null = the peer's host
    /// @param certificates of the gateway, shown to a peer that asks for one: the first that an
    ///   authority has signed whom it names
    /// @param unverified what the peer's certificate must be at least where it is not checked
    @RecordBuilder
    public record Tls(
            boolean verify,
            @Nullable Path trust,
            @Nullable String serverName,
            List<TlsConfig.Certificate> certificates,
            Unverified unverified)
            implements PeerConfigTlsBuilder.With {
        public Tls {
            certificates = List.copyOf(certificates);
        }

        /// Where nothing is asked of a certificate that is not checked.
        public Tls(
                boolean verify,
                @Nullable Path trust,
                @Nullable String serverName,
                List<TlsConfig.Certificate> certificates) {
            this(verify, trust, serverName, certificates, Unverified.ANY);
        }

        /// Checked by the JDK's authorities; without a certificate of the gateway.
        public static Tls defaults() {
            return new Tls(true, null, null, List.of());
        }
    }

    /// When CPING is sent (mod_jk's `ping_mode`), or another ping.
    public enum Ping {
        /// Once after connecting.
        CONNECT,

        /// Before each request.
        PREPOST,

        /// Regularly on idle connections.
        INTERVAL
    }

    /// What counts as a failure, and what is done about it.
    ///
    /// @param retries attempts on this peer, at least 1
    /// @param retryInterval pause between two attempts on it
    /// @param recover how long it stays in error before a request tries it again; zero = it is
    ///   tried with each request
    /// @param recoveryOptions mod_jk's `recovery_options` bits: 1 no other peer after the request
    ///   was sent, 2 none after the head of the response came, 4 close the connection when the
    ///   client cannot be written to, 8 always recover HEAD, 16 always recover GET
    /// @param failStatuses statuses of a response that put it into error: the client gets 503
    /// @param softFailStatuses the same without putting it into error
    public record Failures(
            int retries,
            Duration retryInterval,
            Duration recover,
            int recoveryOptions,
            List<Integer> failStatuses,
            List<Integer> softFailStatuses) {
        public Failures {
            failStatuses = List.copyOf(failStatuses);
            softFailStatuses = List.copyOf(softFailStatuses);
        }

        /// One attempt, a minute in error.
        public static Failures defaults() {
            return new Failures(
                    1, Duration.ofMillis(100), Duration.ofSeconds(60), 0, List.of(), List.of());
        }
    }
}
