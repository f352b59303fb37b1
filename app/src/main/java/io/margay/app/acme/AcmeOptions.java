package io.margay.app.acme;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeConfig;
import io.margay.transport.TlsConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The options by which a server gets its certificate by itself. Immutable.
///
/// @param arguments of `run`
public record AcmeOptions(Arguments arguments) {
    private static final String ACME = "--acme";
    private static final String EMAIL = "--acme-email";
    private static final String CA = "--acme-ca";

    public static final Option NAMES =
            Option.many(
                    ACME,
                    "NAME",
                    "Orders a certificate for this host name from Let's Encrypt and renews it;"
                            + " several are names of one certificate. Listens at *:80 and *:443"
                            + " unless --http and --https say otherwise. Agrees to the"
                            + " authority's terms of service.");

    public static final Option MAIL =
            Option.of(EMAIL, "ADDRESS", "Contact address for the authority.");

    public static final Option AUTHORITY =
            Option.of(
                    CA,
                    "NAME",
                    "Another authority: letsencrypt-staging, zerossl, google, or the https URL of"
                            + " a directory.");

    /// Whether there is to be such a certificate.
    public boolean areGiven() throws UsageException {
        if (!arguments.has(ACME)) {
            for (String other : List.of(EMAIL, CA)) {
                if (arguments.has(other)) {
                    throw new UsageException(other + " belongs to --acme NAME");
                }
            }
        }
        return arguments.has(ACME);
    }

    /// What is to be ordered.
    ///
    /// @param work folder in which certificates are kept
    public AcmeConfig config(Path work) throws UsageException {
        List<String> domains = arguments.all(ACME, AcmeOptions::domain);
        URI directory =
                arguments
                        .value(CA, AcmeAuthority::directory)
                        .orElseGet(() -> AcmeAuthority.directory(AcmeAuthority.DEFAULT));
        AcmeCertificate wanted =
                new AcmeCertificate(
                        domains,
                        new AcmeAuthority(
                                directory, null, arguments.value(EMAIL).orElse(null), null),
                        List.of(AcmeChallengeKind.HTTP_01, AcmeChallengeKind.TLS_ALPN_01),
                        null,
                        KeyKind.EC256,
                        null,
                        null);
        return new AcmeConfig(work.resolve(AcmeKeys.ACME), List.of(wanted));
    }

    private static String domain(String text) {
        try {
            String name = AcmeKeys.domain(text);
            if (!name.startsWith("*.")) {
                return name;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not a host name", e);
        }
        throw new IllegalArgumentException(
                "a wildcard needs DNS records: use a configuration file");
    }

    /// The listeners, of which those for HTTPS show the certificate.
    ///
    /// @param https where they are; none = everywhere, and so is HTTP unless it is said where
    public static List<ListenerSettings> listeners(
            AcmeConfig config, List<Endpoint> http, List<Endpoint> https) {
        Path file = config.certificates().getFirst().file(config.storage());
        TlsConfig tls = TlsConfig.of(file, file);
        List<ListenerSettings> listeners = new ArrayList<>();
        List<Endpoint> plain = http.isEmpty() ? List.of(Endpoint.parse("*:80")) : http;
        List<Endpoint> secure = https.isEmpty() ? List.of(Endpoint.parse("*:443")) : https;
        plain.forEach(at -> listeners.add(ListenerSettings.http(at)));
        secure.forEach(at -> listeners.add(ListenerSettings.http(at).withTls(tls)));
        return listeners;
    }
}
