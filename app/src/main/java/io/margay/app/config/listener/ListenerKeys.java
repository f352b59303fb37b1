package io.margay.app.config.listener;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.AjpSettings;
import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.ListenerSettings.Accepting;
import io.margay.app.config.TransportChoice;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Forms;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.binding.YamlText;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.http.RequestTarget.Characters;
import io.margay.server.config.AjpConfig;
import io.margay.transport.TlsConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The keys of a listener.
public final class ListenerKeys {
    public static final Shape.Scalar ENDPOINT =
            Shape.text(
                    "PORT or ADDRESS:PORT, as in 8080, 0.0.0.0:8080, [::1]:8080, *:8080, or the"
                            + " absolute path of a Unix socket, as in unix:/run/margay.sock",
                    Endpoint::parse,
                    Shape.NUMBER_OR_VARIABLE);

    private static final String HTTP2 = "http2";
    private static final String HTTP3 = "http3";
    private static final String SECRET_REQUIRED = "secret-required";

    private static final Form<Pattern> REGEX =
            Forms.parsed("a regular expression", Pattern::compile);

    private static final List<TransportChoice> TRANSPORTS =
            List.of(TransportChoice.BLOCKING, TransportChoice.NIO, TransportChoice.NATIVE);

    private static final Keys<Accepting> ACCEPTING =
            Binding.of("how connections are accepted", Accepting.defaults())
                    .form("transport", word(TRANSPORTS, TransportChoice::word))
                    .keys(
                            """
                            transport [=the best that this machine has]: The transport: how bytes
                              are moved.
                            backlog <1 to 65535>: Length of the accept queue.
                            connections-max <1 to 10000000>: Maximum number of open connections;
                              further ones wait in the accept queue.
                            connections-per-address-max (perAddressMax) <0 to 10000000> [2000; 0
                              with `ajp`]: Open connections per client address (IPv6: per /64);
                              further ones are reset. Loopback and front ends named by
                              trust-forwarded, client-address or forwarded are exempt; 0 = no limit.
                            """)
                    .part("access", AddressKeys.SOCKET);

    private static final Form<String> RELAXED =
            text(
                    "some of the characters " + Characters.RELAXABLE,
                    characters -> Characters.of(characters, "").path());

    /// The paths and the queries that are let in.
    private static final Binding<Characters> CHARACTERS =
            Binding.of("characters", Characters.STRICT)
                    .form(
                            "relaxed-path-chars",
                            RELAXED,
                            Characters::path,
                            (to, path) -> to.become(Characters.of(path, to.build().query())))
                    .form(
                            "relaxed-query-chars",
                            RELAXED,
                            Characters::query,
                            (to, query) -> to.become(Characters.of(to.build().path(), query)))
                    .keys(
                            """
                            relaxed-path-chars: Characters accepted unencoded in paths: some of
                              `"<>\\^{|}` and the backtick, which `backslashes` of hosts reads.
                              Members get them encoded, applications as sent.
                            relaxed-query-chars: Characters accepted unencoded in queries: some of
                              `"<>\\^{|}` and the backtick. Members get them encoded, applications
                              as sent.
                            """);

    private static final Binding<AjpConfig> AJP_CONFIG =
            Binding.of("an AJP13 listener", AjpConfig.withoutSecret())
                    .form(
                            "secret",
                            text("a text of ISO 8859-1").secret(),
                            AjpConfig::secret,
                            (to, secret) -> to.set("secret", secret).set("secretRequired", true))
                    .shape(SECRET_REQUIRED, Shape.flag())
                    .form(
                            "packet-size",
                            whole(AjpLimits.PACKET_BYTES_DEFAULT, AjpLimits.PACKET_BYTES_LIMIT))
                    .form("allowed-request-attributes", REGEX)
                    .keys(
                            """
                            secret [none, and needed with `ajp`]: The secret that the front end must
                              send with each request.
                            secret-required [true]: `false` allows an AJP13 listener without a
                              secret: only if no one but the front end can reach it.
                            packet-size (limits.packetBytesMax): Bytes of an AJP13 packet; the front
                              end must be told the same (max_packet_size, ProxyIOBufferSize).
                            allowed-request-attributes: AJP13 request attributes accepted beside the
                              known ones; others get 403.
                            trust-remote-user: Accepts the user that an AJP13 front end has
                              authenticated.
                            idle-timeout: How long an AJP13 connection may wait for the next
                              request.
                            """)
                    .refusal("secret", "");

    private static final Keys<AjpSettings> AJP =
            Binding.of("an AJP13 listener", new AjpSettings(AjpConfig.withoutSecret(), false))
                    .part("config", AJP_CONFIG);

    public static final Keys<ListenerSettings> LISTENER =
            Binding.of("a listener", ListenerSettings.defaults())
                    .shape("http", ENDPOINT)
                    .shape("https", ENDPOINT)
                    .shape("ajp", ENDPOINT)
                    .keys(
                            """
                            http: Listens for HTTP there.
                            https: Listens for HTTPS there.
                            ajp: Listens there for AJP13 of mod_jk or mod_proxy_ajp.
                            """)
                    .part("accepting", ACCEPTING)
                    .keys(
                            """
                            http2: Serves HTTP/2 beside HTTP/1.1: over TLS by ALPN, in clear text to
                              clients that begin with its preface.
                            http3: Serves HTTP/3 on the UDP port of the same number, announced by
                              `Alt-Svc` (with `proxy-port` if set). For https listeners; needs
                              OpenSSL 3.5 or newer.
                            """)
                    .part("characters", CHARACTERS)
                    .part("address", AddressKeys.ADDRESS)
                    .part("proxyProtocol", AddressKeys.SENDERS)
                    .part("tls", TlsKeys.LISTENER)
                    .part("ajp", AJP)
                    .exactlyOne("http", "https", "ajp");

    private ListenerKeys() {}

    /// How a listener is said to speak.
    public static String protocol(Settings listener) {
        return listener.has("https") ? "https" : listener.has("ajp") ? "ajp" : "http";
    }

    /// A listener; empty when it does not say enough, which is then reported.
    public static Optional<ListenerSettings> read(Settings section, TlsKeys tls, Reading reading) {
        String protocol = protocol(section);
        boolean ajp = protocol.equals("ajp");
        Optional<Endpoint> endpoint = section.get(protocol, Endpoint.class);
        Optional<TlsConfig> secure = Optional.empty();
        if (protocol.equals("https")) {
            secure = tls.read(section, reading);
        } else {
            reading.strangers(section, names(TlsKeys.LISTENER), "an https listener");
            reading.strangers(section, List.of(HTTP3), "an https listener");
        }
        reading.strangers(
                section,
                ajp ? List.of(HTTP2, AddressKeys.FORWARDED) : names(AJP),
                ajp ? "an http or https listener" : "an ajp listener");
        boolean open = ajp && !hasSecret(section, reading);
        if (endpoint.isEmpty() || open || (protocol.equals("https") && secure.isEmpty())) {
            return Optional.empty();
        }
        if (endpoint.get().socket() == null) {
            reading.strangers(section, names(AddressKeys.SOCKET), "a Unix socket");
        }
        boolean quic = section.get(HTTP3, Boolean.class).equals(Optional.of(true));
        if (quic && endpoint.get().socket() != null) {
            reading.problem(section, HTTP3, "HTTP/3 needs a port, not a Unix socket");
            return Optional.empty();
        }
        if (quic && section.isGiven("proxy-protocol")) {
            reading.problem(section, HTTP3, "HTTP/3 cannot be spoken behind the PROXY protocol");
            return Optional.empty();
        }
        ListenerSettings plain =
                ajp
                        ? ListenerSettings.ajp(endpoint.get(), AJP.defaults())
                        : ListenerSettings.http(endpoint.get());
        return Optional.of(
                LISTENER.read(section, secure.map(plain::withTls).orElse(plain), reading));
    }

    private static List<String> names(Keys<?> keys) {
        return keys.shapes().stream().map(Shape.Key::name).toList();
    }

    private static boolean hasSecret(Settings section, Reading reading) {
        boolean has =
                section.isGiven("secret")
                        || section.get(SECRET_REQUIRED, Boolean.class).equals(Optional.of(false));
        if (!has) {
            reading.problem(
                    section,
                    "ajp",
                    "an ajp listener needs the key \"secret\"; without one, anyone who reaches the"
                            + " port is taken for the front end, which \"secret-required: false\""
                            + " allows");
        }
        return has;
    }

    /// A listener as it stands in the file.
    ///
    /// @param own files of certificates that the server gets by itself, which hosts name
    public static Map<String, Object> write(ListenerSettings listener, Set<Path> own) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put(listener.scheme(), YamlText.quote(listener.endpoint().toString()));
        TlsConfig tls = listener.tls();
        AjpSettings ajp = listener.ajp();
        ListenerSettings otherwise = ListenerSettings.http(listener.endpoint());
        if (ajp != null) {
            otherwise = ListenerSettings.ajp(listener.endpoint(), AJP.defaults());
            if (ajp.config().secret() == null) {
                written.put(SECRET_REQUIRED, "false");
            }
        } else if (tls != null) {
            written.putAll(TlsKeys.writeCertificates(tls, own));
            otherwise = otherwise.withTls(TlsConfig.of(tls.certificates()));
        }
        written.putAll(LISTENER.write(listener, otherwise));
        if (tls != null) {
            written.putAll(TlsKeys.writeNamed(tls));
        }
        return written;
    }
}
