package io.margay.app.acme;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.yaml.Shape;
import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.DnsCommands;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeConfig;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The keys of certificates that the server gets by itself. Stateless.
public final class AcmeKeys {
    /// The key itself: of the file, of its listeners and of its hosts.
    public static final String ACME = "acme";

    /// The name of a certificate whose names are not said.
    static final String UNNAMED = "-";

    private static final String SAYS = "a certificate ordered by ACME";
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    private static final int DOMAIN_CHARS_MAX = 253;
    private static final Pattern DOMAIN =
            Pattern.compile("(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+");
    private static final Pattern EMAIL = Pattern.compile("[^@\\s,;?]+@[^@\\s,;?]+");

    private static final Form<List<String>> DOMAINS =
            listOrOne(
                    "names",
                    text("a host name, as in shop.example or *.shop.example", AcmeKeys::domain),
                    1);
    private static final Form<List<String>> COMMAND =
            listOrOne("a program and its arguments", text("a word"), 1);

    private static final Keys<AcmeAuthority.Binding> EAB =
            Binding.of("an account", new AcmeAuthority.Binding("-", "-", null))
                    .form(
                            "hmac",
                            anyText().secret(),
                            AcmeAuthority.Binding::hmac,
                            (to, hmac) -> to.set("hmac", hmac).set("file", null))
                    .form(
                            "hmac-file",
                            existing(),
                            AcmeAuthority.Binding::file,
                            (to, file) -> to.set("hmac", null).set("file", file))
                    .keys(
                            """
                            kid <the name of a key> [required]: The name of its key.
                            hmac: The key in Base64, as the authority hands it out; best given as
                              `${NAME}`, from the environment.
                            hmac-file: The same in a file, or a JSON object that has it as `hmac`.
                            """)
                    .exactlyOne("hmac", "hmac-file");

    private static final Keys<DnsCommands> DNS =
            Binding.of("commands for DNS records", new DnsCommands(List.of("-"), List.of("-")))
                    .form("set", COMMAND)
                    .form("unset", COMMAND)
                    .keys(
                            """
                            set [required]: Run for each record: sets the TXT record MARGAY_RECORD
                              to MARGAY_VALUE, and ends when the DNS has it. MARGAY_DOMAIN is the
                              name.
                            unset [required]: Run afterwards: removes it.
                            """);

    private static final Keys<AcmeAuthority> AUTHORITY =
            Binding.of(
                            "a certificate authority",
                            new AcmeAuthority(
                                    AcmeAuthority.directory(AcmeAuthority.DEFAULT),
                                    null,
                                    null,
                                    null))
                    .form(
                            "ca",
                            directory(
                                    "letsencrypt, letsencrypt-staging, zerossl, google, or the"
                                            + " https URL of a directory"))
                    .form("ca-file", existing())
                    .form("email", matching("an address for mail", EMAIL.asMatchPredicate()))
                    .form("eab", section(EAB))
                    .keys(
                            """
                            ca (directory) [=letsencrypt]: The certificate authority. Setting it
                              accepts its terms of service.
                            ca-file (roots) [those of the JDK]: PEM file of authorities for the
                              directory's own certificate, with a private `ca`.
                            email: Contact address for the authority.
                            eab (binding): The account that exists there (ZeroSSL).
                            """);

    private static final Binding<AcmeCertificate> UNSAID =
            Binding.of(
                    SAYS,
                    new AcmeCertificate(
                            List.of(UNNAMED),
                            AUTHORITY.defaults(),
                            List.of(),
                            null,
                            KeyKind.EC256,
                            null,
                            null));

    /// What is said of all certificates, but for their names.
    static final Binding<AcmeCertificate> COMMON =
            UNSAID.part("authority", AUTHORITY)
                    .form(
                            "challenges",
                            listOrOne("challenges", word(AcmeChallengeKind.values()), 1))
                    .form("dns", section(DNS))
                    .form(
                            "staging-first",
                            directory("letsencrypt-staging, or the https URL of a directory"))
                    .keys(
                            """
                            challenges [dns-01 with `dns`; http-01 with an `http` listener, then
                              tls-alpn-01]: Challenge types, best first; after a failure the next is
                              tried.
                            dns: What sets DNS records, for dns-01.
                            key: The kind of key; each certificate has a new one.
                            profile <a profile> [the authority's choice]: By which the authority
                              issues it, such as `shortlived`.
                            staging-first (rehearsal): A staging directory that must issue the
                              certificate first, so that mistakes do not count against limits of
                              `ca`.
                            """);

    public static final Keys<AcmeCertificate> OF_HOST =
            UNSAID.form("domains", DOMAINS)
                    .keys(
                            """
                            domains [=the host's names]: The names of the certificate; `*.NAME`
                              needs `dns`.
                            """)
                    .within(COMMON);

    /// What holds for all listeners and hosts that do not say otherwise.
    public static final Keys<AcmeConfig> OF_FILE =
            Binding.of("certificates ordered by ACME", AcmeConfig.NONE)
                    .elsewhere(COMMON.shapes())
                    .form("orders-max", whole(1, AcmeConfig.ORDERS_MAX))
                    .keys(
                            """
                            storage [`acme` in the work folder, without the port]: Folder of
                              accounts, keys and certificates. Servers may share it: one of them
                              asks for certificates, the others take them.
                            orders-max: Certificates that are ordered at the same time.
                            """);

    private AcmeKeys() {}

    /// What stands at a listener, or in its settings for host names.
    public static Shape.Section ofListener() {
        return UNSAID.form("domains", DOMAINS)
                .keys(
                        """
                        domains [required]: The names of the certificate; `*.NAME` needs `dns`.
                        """)
                .within(COMMON)
                .shape();
    }

    private static Form<URI> directory(String says) {
        return parsed(says, AcmeAuthority::directory);
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
}
