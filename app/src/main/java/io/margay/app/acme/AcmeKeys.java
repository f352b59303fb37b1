package io.margay.app.acme;

import static io.margay.app.yaml.Shape.anyText;
import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Scalar;
import io.margay.app.yaml.Shape.Section;
import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The keys of certificates that the server gets by itself.
public final class AcmeKeys {
    /// The key itself: of the file, of its listeners and of its hosts.
    public static final String ACME = "acme";

    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final int DOMAIN_CHARS_MAX = 253;
    private static final Pattern DOMAIN =
            Pattern.compile("(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+");
    private static final Pattern EMAIL = Pattern.compile("[^@\\s,;?]+@[^@\\s,;?]+");

    private AcmeKeys() {}

    /// What holds for all listeners and hosts that do not say otherwise.
    public static Shape.Key ofFile() {
        List<Shape.Key> keys = new ArrayList<>(ofCertificate());
        keys.add(
                optional(
                        "storage",
                        Shape.path(),
                        "`acme` in the work folder, without the port",
                        "Folder of accounts, keys and certificates. Servers may share it: one of"
                                + " them asks for certificates, the others take them."));
        keys.add(
                optional(
                        "orders-max",
                        whole(1, AcmeConfig.ORDERS_MAX),
                        String.valueOf(AcmeConfig.ORDERS),
                        "Certificates that are ordered at the same time."));
        return optional(
                ACME,
                new Section("certificates that the server gets by itself", keys, List.of()),
                "none",
                "What holds for each `acme` of listeners and hosts that does not say otherwise.");
    }

    /// Of a listener, or of its settings for host names.
    public static Shape.Key ofListener() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                required(
                        "domains",
                        new Items("names", domain(), 1, true),
                        "The names of the certificate; `*.NAME` needs `dns`."));
        keys.addAll(ofCertificate());
        return optional(
                ACME,
                new Section("a certificate that the server gets by itself", keys, List.of()),
                "none",
                "A certificate that is ordered from an authority and renewed in time (ACME); until"
                        + " it has been issued, a self-signed one is shown.");
    }

    /// Of a host.
    public static Shape.Key ofHost() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.add(
                optional(
                        "domains",
                        new Items("names", domain(), 1, true),
                        "the host's names",
                        "The names of the certificate; `*.NAME` needs `dns`."));
        keys.addAll(ofCertificate());
        return optional(
                ACME,
                new Section("a certificate that the server gets by itself", keys, List.of()),
                "none",
                "The same as at a listener, for the names of the host and at each `https`"
                        + " listener; `acme: {}` is enough.");
    }

    private static List<Shape.Key> ofCertificate() {
        return List.of(
                optional(
                        "ca",
                        text(
                                "letsencrypt, letsencrypt-staging, zerossl, google, or the https"
                                        + " URL of a directory",
                                AcmeAuthority::directory),
                        AcmeAuthority.DEFAULT,
                        "The certificate authority. Naming one agrees to its terms of service."),
                optional(
                        "ca-file",
                        Shape.path(),
                        "those of the JDK",
                        "PEM file of the authorities by which the directory's own certificate is"
                                + " trusted, where `ca` is a private one."),
                optional(
                        "email",
                        text("an address for mail", AcmeKeys::email),
                        "none",
                        "Where the authority may write to."),
                optional("eab", binding(), "none", "The account that exists there (ZeroSSL)."),
                optional(
                        "challenges",
                        new Items("challenges", choice(AcmeChallengeKind.words()), 1, true),
                        "dns-01 with `dns`; http-01 with an `http` listener, then tls-alpn-01",
                        "How the authority may find out that the names are this server's, best"
                                + " first; after a failure the next is tried."),
                optional("dns", commands(), "none", "What sets DNS records, for dns-01."),
                optional(
                        "key",
                        choice(
                                Stream.of(KeyKind.values())
                                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                                        .toList()),
                        "ec256",
                        "The kind of key; each certificate has a new one."),
                optional(
                        "profile",
                        text("a profile"),
                        "the authority's choice",
                        "By which the authority issues it, such as `shortlived`."),
                optional(
                        "staging-first",
                        text(
                                "letsencrypt-staging, or the https URL of a directory",
                                AcmeAuthority::directory),
                        "none",
                        "A directory that must have issued the certificate once before `ca` is"
                                + " asked, so that what is wrong here does not count there."));
    }

    private static Section binding() {
        return new Section(
                "an account",
                List.of(
                        required("kid", text("the name of a key"), "The name of its key."),
                        optional(
                                "hmac",
                                anyText().asSecret(),
                                "",
                                "The key in Base64, as the authority hands it out; best given as"
                                        + " `${NAME}`, from the environment."),
                        optional(
                                "hmac-file",
                                Shape.path(),
                                "",
                                "The same in a file, or a JSON object that has it as `hmac`.")),
                List.of("hmac", "hmac-file"));
    }

    private static Section commands() {
        return new Section(
                "commands for DNS records",
                List.of(
                        required(
                                "set",
                                new Items("a program and its arguments", text("a word"), 1, true),
                                "Run for each record: sets the TXT record MARGAY_RECORD to"
                                        + " MARGAY_VALUE, and ends when the DNS has it."
                                        + " MARGAY_DOMAIN is the name."),
                        required(
                                "unset",
                                new Items("a program and its arguments", text("a word"), 1, true),
                                "Run afterwards: removes it.")),
                List.of());
    }

    private static Scalar domain() {
        return text("a host name, as in shop.example or *.shop.example", AcmeKeys::domain);
    }

    /// A name in the form in which certificates have it.
    ///
    /// @throws IllegalArgumentException when it is none
    public static String domain(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        if (name.length() > DOMAIN_CHARS_MAX
                || !DOMAIN.matcher(name).matches()
                || ADDRESS.matcher(name).matches()) {
            throw new IllegalArgumentException("");
        }
        return name;
    }

    private static String email(String text) {
        if (!EMAIL.matcher(text).matches()) {
            throw new IllegalArgumentException("");
        }
        return text;
    }
}
