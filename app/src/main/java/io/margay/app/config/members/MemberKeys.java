package io.margay.app.config.members;

import static io.margay.app.config.binding.Forms.duration;
import static io.margay.app.config.binding.Forms.existing;
import static io.margay.app.config.binding.Forms.flag;
import static io.margay.app.config.binding.Forms.list;
import static io.margay.app.config.binding.Forms.text;
import static io.margay.app.config.binding.Forms.textOrNone;
import static io.margay.app.config.binding.Forms.whole;
import static io.margay.app.config.binding.Forms.word;
import static io.margay.app.yaml.Shape.optional;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Forms;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.listener.TlsKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerConfig.Failures;
import io.margay.gateway.config.PeerConfig.Ping;
import io.margay.gateway.config.PeerConfig.Pool;
import io.margay.gateway.config.PeerConfig.Share;
import io.margay.gateway.config.PeerConfig.Timeouts;
import io.margay.gateway.config.PeerConfigAjpBuilder;
import io.margay.gateway.config.PeerConfigBuilder;
import io.margay.gateway.config.PeerConfigFailuresBuilder;
import io.margay.gateway.config.PeerConfigPoolBuilder;
import io.margay.gateway.config.PeerConfigShareBuilder;
import io.margay.gateway.config.PeerConfigTimeoutsBuilder;
import io.margay.gateway.config.PeerConfigTlsBuilder;
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
    public static final PeerConfig NOBODY =
            PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80))
                    .withShare(Share.defaults(""));

    private static final String PROXY_PROTOCOL = "proxy-protocol";

    private static final Form<Double> WEIGHT =
            Forms.scalar(
                    new Shape.Scalar(
                            "a number above 0, such as 1 or 1.5",
                            Map.of("type", List.of("number", "string")),
                            List.of(),
                            MemberKeys::weight),
                    Double.class,
                    weight ->
                            weight == Math.rint(weight)
                                    ? String.valueOf(weight.longValue())
                                    : weight.toString(),
                    List.of(2.0, 1.5));

    private static final Form<List<Integer>> STATUSES = list("statuses", whole(100, 599), 0);

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
                    TlsKeys.CERTIFICATES.writer(),
                    List::of);

    private static final Binding<Share, PeerConfigShareBuilder> SHARE =
            Binding.of(
                            "the share of a member",
                            NOBODY.share(),
                            PeerConfigShareBuilder::builder,
                            PeerConfigShareBuilder::build)
                    .key(
                            "route",
                            textOrNone("a name, or nothing"),
                            "the name",
                            "Suffix of the session identifiers that it makes (jvmRoute).")
                    .key("weight", WEIGHT, "Its weight: the share of the requests that it gets.")
                    .key("distance", whole(0, 1000), "The smallest is used first.")
                    .key("domain", text("a name"), "Peers that share sessions.")
                    .key(
                            "redirect",
                            text("a name"),
                            "Route to which its sessions go when it is in error.")
                    .key(
                            "activation",
                            word(Activation.values()),
                            "disabled: only requests of its sessions; stopped: none.")
                    .key("standby", flag(), "Used only when no other member is left.")
                    .key("spare", flag(), "Used in place of a member that is missing.")
                    .key("ignore-errors", flag(), "Whether it is never put into error.")
                    .key(
                            "busy-max",
                            whole(0, COUNT_MAX),
                            "Maximum number of requests in flight; 0 = no limit.");

    private static final Binding<Pool, PeerConfigPoolBuilder> POOL =
            Binding.of(
                            "the connections to a member",
                            Pool.defaults(),
                            PeerConfigPoolBuilder::builder,
                            PeerConfigPoolBuilder::build)
                    .keyAs(
                            "max",
                            "connections-max",
                            whole(0, COUNT_MAX),
                            "open connections at most; 0 = no limit.")
                    .keyAs(
                            "min",
                            "connections-min",
                            whole(0, COUNT_MAX),
                            "connections that are kept however long they idle.")
                    .keyAs(
                            "idle",
                            "idle-timeout",
                            duration(),
                            "how long an unused connection is kept; 0s = for ever.")
                    .key(
                            "lifetime",
                            duration(),
                            "how long a connection is used in all; 0s = for ever.")
                    .keyAs(
                            "acquire",
                            "acquire-timeout",
                            duration(),
                            "how long a request waits when all connections are in use.")
                    .key("reuse", flag(), "whether a connection carries more than one request.")
                    .key(
                            PROXY_PROTOCOL,
                            word(ProxyVersion.values()),
                            "the PROXY protocol, which tells the peer of the client before the"
                                    + " request; a connection carries one request then. For members"
                                    + " without TLS and HTTP/2.");

    private static final Binding<Timeouts, PeerConfigTimeoutsBuilder> TIMEOUTS =
            Binding.of(
                            "the timeouts of a member",
                            Timeouts.defaults(),
                            PeerConfigTimeoutsBuilder::builder,
                            PeerConfigTimeoutsBuilder::build)
                    .keyAs("connect", "connect-timeout", duration(), "to connect.")
                    .keyAs(
                            "reply",
                            "reply-timeout",
                            duration(),
                            "response timeout: how long a response may take to begin; 0s = no"
                                    + " limit.")
                    .keyAs(
                            "io",
                            "io-timeout",
                            duration(),
                            "timeout of sending, and between two parts of a response.")
                    .keyAs(
                            "ping",
                            "ping-timeout",
                            duration(),
                            "how long the answer to a ping may take.");

    private static final Binding<Failures, PeerConfigFailuresBuilder> FAILURES =
            Binding.of(
                            "the failures of a member",
                            Failures.defaults(),
                            PeerConfigFailuresBuilder::builder,
                            PeerConfigFailuresBuilder::build)
                    .key("retries", whole(1, 100), "how often it is tried to connect to it.")
                    .key("retry-interval", duration(), "pause between attempts.")
                    .key(
                            "recover",
                            duration(),
                            "how long it stays in error before it is tried again.")
                    .key(
                            "fail-statuses",
                            STATUSES,
                            "statuses that put it into error; the client gets 503.")
                    .key("soft-fail-statuses", STATUSES, "statuses with which the client gets 503.")
                    .key(
                            "recovery-options",
                            whole(0, 31),
                            "mod_jk's bits: 1 no other peer once the request is sent, 2 none once"
                                    + " the answer has begun, 4 close when the client fails, 8"
                                    + " always recover HEAD, 16 always GET.");

    private static final Binding<PeerConfig.Ajp, PeerConfigAjpBuilder> AJP =
            Binding.of(
                            "what concerns AJP13",
                            PeerConfig.Ajp.defaults(),
                            PeerConfigAjpBuilder::builder,
                            PeerConfigAjpBuilder::build)
                    .key("secret", text("a text").secret(), "AJP13's secret.")
                    .keyAs(
                            "packetBytesMax",
                            "packet-size",
                            whole(AjpLimits.PACKET_BYTES_DEFAULT, AjpLimits.PACKET_BYTES_LIMIT),
                            "bytes of an AJP13 packet; the container must be told the same.")
                    .key(
                            "pings",
                            PINGS,
                            "when AJP13's CPING or HTTP/2's PING is sent: after connecting, before"
                                    + " each request, on connections that idle. An HTTP/1.1 member"
                                    + " is asked for 100 Continue before content (prepost); without"
                                    + " it within ping-timeout another gets the request.");

    private static final Binding<PeerConfig.Tls, PeerConfigTlsBuilder> TLS =
            Binding.of(
                            "how a member speaks TLS",
                            PeerConfig.Tls.defaults(),
                            PeerConfigTlsBuilder::builder,
                            PeerConfigTlsBuilder::build)
                    .key(
                            "verify",
                            flag(),
                            "whether the certificate of an https or h2 peer is checked.")
                    .key(
                            "trust",
                            existing(),
                            "the JDK's authorities",
                            "PEM file of the authorities that sign its certificate.")
                    .key(
                            "server-name",
                            text("a host name"),
                            "the host of the url",
                            "name that its certificate must be for.")
                    .key(
                            "certificates",
                            CERTIFICATES,
                            "certificates of the gateway for https and h2 peers that ask for one:"
                                    + " the first that an authority has signed whom the peer names."
                                    + " Changed files are taken.");

    /// What may be said of one member, or of all.
    public static final Binding<PeerConfig, PeerConfigBuilder> COMMON =
            Binding.of("a member", NOBODY, PeerConfigBuilder::builder, PeerConfigBuilder::build)
                    .part("pool", POOL)
                    .part("timeouts", TIMEOUTS)
                    .part("failures", FAILURES)
                    .part("ajp", AJP)
                    .part("tls", TLS);

    public static final Binding<PeerConfig, PeerConfigBuilder> MEMBER =
            Binding.of("a member", NOBODY, PeerConfigBuilder::builder, PeerConfigBuilder::build)
                    .elsewhere(
                            optional(
                                    "url",
                                    Shape.text(
                                            "a URL, as in http://10.0.0.5:8080, https://, h2://,"
                                                    + " h2c://, ajp://10.0.0.5:8009, fcgi://,"
                                                    + " http+unix:/run/app.sock",
                                            PeerUrl::parse),
                                    "",
                                    "Where it listens and what it speaks; a path is put before each"
                                            + " request's."))
                    .elsewhere(
                            optional(
                                    "name",
                                    Shape.text("a name"),
                                    "the route, with `dialect: mod_proxy` the url",
                                    "Its name on status pages, in logs and metrics."))
                    .part("share", SHARE)
                    .key(
                            "root",
                            text("an absolute path"),
                            "Of a FastCGI peer: folder of its scripts, as it sees it.")
                    .elsewhere(MemberSourceShape.keys())
                    .within(COMMON)
                    .exactlyOne(MemberSourceShape.PLACES.toArray(String[]::new));

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
                        .address(url.address())
                        .path(url.path())
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
        written.put("url", YamlText.quote(peer.address() + peer.path()));
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
