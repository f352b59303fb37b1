package io.margay.app.config.members;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Forms;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.listener.TlsKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerConfig.Failures;
import io.margay.gateway.config.PeerConfig.Ping;
import io.margay.gateway.config.PeerConfig.Pool;
import io.margay.gateway.config.PeerConfig.Share;
import io.margay.gateway.config.PeerConfig.Timeouts;
import io.margay.gateway.config.PeerConfigBuilder;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.ProxyVersion;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.transport.TlsConfig.Certificate;
import io.margay.transport.TlsSetupException;
import io.margay.transport.factory.Transports;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The keys of a member of an upstream.
public final class MemberKeys {
    public static final int COUNT_MAX = 1_000_000;

    /// A member of which nothing is known.
    public static final PeerConfig NOBODY = MemberSourceKeys.NOBODY;

    private static final String PROXY_PROTOCOL = "proxy-protocol";

    private static final Form<Double> WEIGHT =
            Forms.scalar(
                    Shape.text(
                            "a number above 0, such as 1 or 1.5",
                            MemberKeys::weight,
                            List.of("number", "string")),
                    Forms::decimal);

    private static final Form<Set<Ping>> PINGS =
            list("pings", word(Ping.values()), 0)
                    .as(Set::copyOf, pings -> pings.stream().sorted().toList());

    /// Certificates of the gateway; what cannot be used is reported.
    private static final Form<List<Certificate>> CERTIFICATES =
            new Form<>(
                    TlsKeys.CERTIFICATES.shape(),
                    (value, at, _) -> {
                        int known = at.reading().problems().size();
                        List<Certificate> found =
                                TlsKeys.CERTIFICATES.reader().read(value, at, null);
                        if (found != null && at.reading().problems().size() == known) {
                            found.forEach(one -> check(one, at));
                        }
                        return found;
                    },
                    TlsKeys.CERTIFICATES.writer());

    private static final Keys<Share.Roles> ROLES =
            Binding.of("the roles of a member", Share.Roles.NONE)
                    .keys(
                            """
                            standby: Used only when no other member is left.
                            spare: With `dialect: mod_proxy`: used in place of a member that is
                              missing.
                            ignore-errors: Never puts it into error.
                            """);

    private static final Keys<Share> SHARE =
            Binding.of("the share of a member", NOBODY.share())
                    .form("weight", WEIGHT)
                    .keys(
                            """
                            route <a name, or nothing?> [the name]: Suffix of the session
                              identifiers that it makes (jvmRoute).
                            weight: Its weight: the share of the requests that it gets.
                            distance <0 to 1000>: The smallest is used first.
                            domain <a name>: Members that share sessions.
                            redirect <a name>: Route to which its sessions go when it is in error.
                            activation: disabled: only requests of its sessions; stopped: none.
                            busy-max <0 to 1000000>: Maximum number of requests in flight; 0 = no
                              limit.
                            zone <a name> [not known]: Where it is, as in `eu-1a`; see the
                              upstream's `own-zone`.
                            """)
                    .part("roles", ROLES);

    private static final Keys<Pool> POOL =
            Binding.of("the connections to a member", Pool.defaults())
                    .keys(
                            """
                            connections-max (max) <0 to 1000000>: Open connections at most; 0 = no
                              limit.
                            connections-min (min) <0 to 1000000>: Connections that are kept however
                              long they idle.
                            idle-timeout (idle): How long an unused connection is kept; 0s =
                              without limit.
                            lifetime: How long a connection is used in all; 0s = without limit.
                            acquire-timeout (acquire): How long a request waits when all connections
                              are in use.
                            reuse: Reuses connections for further requests.
                            proxy-protocol: Sends the client's address by the PROXY protocol; each
                              connection then carries one request. Not with TLS or HTTP/2.
                            """);

    private static final Keys<Timeouts> TIMEOUTS =
            Binding.of("the timeouts of a member", Timeouts.defaults())
                    .keys(
                            """
                            connect-timeout (connect): Timeout of connecting.
                            reply-timeout (reply): Timeout until the response begins; 0s = none.
                            io-timeout (io): Timeout of sending, and between two parts of a
                              response.
                            ping-timeout (ping): How long the answer to a ping may take.
                            """);

    private static final Keys<Failures> FAILURES =
            Binding.of("the failures of a member", Failures.defaults())
                    .keys(
                            """
                            retries <1 to 100>: Number of attempts to connect.
                            retry-interval: Pause between attempts.
                            recover: How long a failed member is not tried.
                            fail-statuses <statuses, each 100 to 599>: Statuses that put it into
                              error; the client gets 503.
                            soft-fail-statuses <statuses, each 100 to 599>: Statuses with which the
                              client gets 503.
                            recovery-options <0 to 31>: Mod_jk's bits: 1 no retry once the request
                              is sent, 2 none once the response has begun, 4 close when the client
                              fails, 8 always retry HEAD, 16 always GET.
                            """);

    private static final Keys<PeerConfig.Ajp> AJP =
            Binding.of("what concerns AJP13", PeerConfig.Ajp.defaults())
                    .form("secret", text("a text").secret())
                    .form(
                            "packet-size",
                            whole(AjpLimits.PACKET_BYTES_DEFAULT, AjpLimits.PACKET_BYTES_LIMIT))
                    .form("pings", PINGS)
                    .keys(
                            """
                            secret: AJP13's secret.
                            packet-size (packetBytesMax): Bytes of an AJP13 packet; the container
                              must be told the same.
                            pings: When CPING (AJP13) or PING (HTTP/2) is sent: after connecting,
                              before requests, on idle connections. HTTP/1.1 members are asked for
                              100 Continue (prepost).
                            """);

    public static final Keys<PeerConfig.Tls> TLS =
            Binding.of("how a member speaks TLS", PeerConfig.Tls.defaults())
                    .form("trust", existing())
                    .form("certificates", CERTIFICATES)
                    .keys(
                            """
                            verify: Verifies the certificate of an https or h2 member.
                            unverified: What still holds with `verify: false`: nothing (any), valid
                              dates (dated), dates and host name (named).
                            trust [the JDK's authorities]: PEM file of the authorities that sign its
                              certificate.
                            server-name <a host name> [the host of the url]: Name that its
                              certificate must be for.
                            certificates: Client certificates for https and h2 members: the first
                              signed by an authority that the member accepts is sent. Changed files
                              are picked up.
                            """);

    /// What may be said of one member, or of all.
    public static final Binding<PeerConfig> COMMON =
            Binding.of("a member", NOBODY)
                    .part("pool", POOL)
                    .part("timeouts", TIMEOUTS)
                    .part("failures", FAILURES)
                    .part("ajp", AJP)
                    .part("tls", TLS);

    public static final Keys<PeerConfig> MEMBER =
            Binding.of("a member", NOBODY)
                    .shape(
                            "url",
                            Shape.text(
                                    "a URL, as in http://10.0.0.5:8080, https://, h2://,"
                                            + " h2c://, ajp://10.0.0.5:8009, fcgi://,"
                                            + " http+unix:/run/app.sock",
                                    PeerUrl::parse))
                    .shape("name", Shape.text("a name"))
                    .keys(
                            """
                            url: Where it listens and what it speaks; a path is put before each
                              request's.
                            name [the route, with `dialect: mod_proxy` the url]: Its name on status
                              pages, in logs and metrics.
                            """)
                    .part("share", SHARE)
                    .keys(
                            """
                            root <an absolute path>: FastCGI: folder of its scripts, as it sees it.
                            """)
                    .elsewhere(MemberSourceKeys.SOURCE.shapes())
                    .within(COMMON)
                    .exactlyOne(List.copyOf(MemberSourceKeys.PLACES.keySet()));

    private MemberKeys() {}

    private static Object weight(String text) {
        if (!text.matches("[0-9]{1,7}([.][0-9]{1,6})?") || text.matches("[0.]+")) {
            throw new IllegalArgumentException("");
        }
        return Double.valueOf(text);
    }

    private static void check(Certificate one, Form.Spot at) {
        try {
            Object _ = Transports.certificate(one);
        } catch (TlsSetupException e) {
            at.problem(String.valueOf(e.getMessage()));
        }
    }

    /// A member as its section says it, and otherwise its upstream.
    ///
    /// @param pattern what the upstream says of its members
    public static PeerConfig read(
            Settings member, String name, PeerUrl url, PeerConfig pattern, Reading reading) {
        PeerConfig otherwise =
                PeerConfigBuilder.builder(pattern)
                        .name(name)
                        .url(url)
                        .share(Share.defaults(member.has("name") ? name : ""))
                        .build();
        return MEMBER.read(member, otherwise, reading);
    }

    /// What cannot go with the PROXY protocol.
    public static void checkProxyProtocol(Settings section, PeerConfig peer, Reading reading) {
        PeerScheme scheme = peer.address().scheme();
        if (peer.pool().proxyProtocol() == ProxyVersion.NONE) {
            return;
        }
        if (scheme.isSecure() || scheme.isHttp2()) {
            reading.problem(
                    section,
                    PROXY_PROTOCOL,
                    "\"proxy-protocol\" is for members without TLS and HTTP/2, not for "
                            + peer.address());
        } else if (!peer.ajp().pings().isEmpty()) {
            reading.problem(
                    section,
                    PROXY_PROTOCOL,
                    "with \"proxy-protocol\" a connection begins with a client: leave \"pings\""
                            + " out");
        }
    }

    /// A member as it stands in the file.
    public static Map<String, Object> write(PeerConfig peer) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("url", YamlText.quote(peer.url().toString()));
        boolean named = !peer.name().equals(peer.address().toString());
        if (named) {
            written.put("name", YamlText.quote(peer.name()));
        }
        PeerConfig otherwise =
                PeerConfigBuilder.builder(NOBODY)
                        .share(Share.defaults(named ? peer.name() : ""))
                        .build();
        written.putAll(MEMBER.write(peer, otherwise));
        return written;
    }
}
