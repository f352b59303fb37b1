package io.margay.app.config.file.login;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.yaml.Settings;
import io.margay.server.directory.DirectoryAccess;
import io.margay.server.directory.DirectoryAccess.Bind;
import io.margay.server.directory.DirectoryAccess.Own;
import io.margay.server.directory.DirectoryAccess.Tls;
import java.nio.file.Path;
import java.util.List;

/// The keys that say how a directory is reached, the same for hosts and for the realms of
/// applications. Stateless.
public final class DirectoryAccessKeys {
    private DirectoryAccessKeys() {}

    /// @param url of a directory
    /// @param file of authorities, a certificate, or a password
    public static Binding<DirectoryAccess> keys(Form<String> url, Form<Path> file) {
        return Binding.of(
                        "a directory",
                        new DirectoryAccess(
                                List.of("ldaps://none"),
                                Tls.DEFAULT,
                                Bind.ANONYMOUS,
                                DirectoryAccess.TIMEOUT_DEFAULT,
                                DirectoryAccess.TIMEOUT_DEFAULT))
                .form("url", listOrOne("URLs", url, 1))
                .keys(
                        """
                        url (urls) [required]: A directory; several URLs are of the same one, tried
                          in order.
                        """)
                .part("tls", tls(file))
                .part("bind", bind(file))
                .form(
                        "timeout",
                        duration(),
                        DirectoryAccess::readTimeout,
                        (to, time) -> to.set("connectTimeout", time).set("readTimeout", time))
                .keys("timeout: Timeout of connecting, and of each answer.")
                .rule(DirectoryAccessKeys::check)
                .refusal("url", "");
    }

    private static Keys<Tls> tls(Form<Path> file) {
        Keys<Own> own =
                Binding.of("a certificate", new Own(Path.of(""), Path.of("")))
                        .form("cert", file)
                        .form("key", file)
                        .keys(
                                """
                                cert [none is shown]: PEM file with a certificate for directories
                                  that ask for one. Changes of it and of `key` are picked up.
                                key [needed with `cert`]: PEM file with its key.
                                """);
        return Binding.of("TLS", Tls.DEFAULT)
                .form("trust", file)
                .keys(
                        """
                        start-tls (start): Starts TLS after connecting to `ldap://`.
                        trust [the JDK's authorities]: PEM file of the authorities that sign the
                          directory's certificate. Changes are picked up.
                        verify: Verifies that certificate. Without it, anyone on the path can read
                          the passwords.
                        """)
                .partIfGiven("own", own);
    }

    private static Keys<Bind> bind(Form<Path> file) {
        return Binding.of("a bind", Bind.ANONYMOUS)
                .form("bind-password", anyText().secret())
                .form("bind-password-file", file)
                .keys(
                        """
                        bind-dn (name) <a name> [nobody]: The name with which the server logs in to
                          search.
                        bind-password (password): Its password, best given as `${NAME}`, from the
                          environment.
                        bind-password-file (passwordFile): The same in a file, which is read each
                          time.
                        """);
    }

    private static void check(Settings ldap, Reading reading) {
        if (ldap.has("cert") != ldap.has("key")) {
            reading.problem(
                    ldap, ldap.has("cert") ? "cert" : "key", "cert and key belong together");
        }
        boolean verify = ldap.get("verify", Boolean.class).orElse(true);
        if (ldap.has("trust") && !verify) {
            reading.problem(ldap, "trust", "nothing is checked by it: verify");
        }
        if (ldap.has("bind-password") && ldap.has("bind-password-file")) {
            reading.problem(ldap, "bind-password", "it is a text, or in a file");
        }
        if (ldap.has("bind-dn") && !ldap.has("bind-password") && !ldap.has("bind-password-file")) {
            reading.problem(ldap, "bind-dn", "it needs bind-password");
        }
        List<String> urls = ldap.list("url", String.class);
        boolean special = ldap.has("trust") || !verify || ldap.has("cert");
        if (special && urls.stream().map(one -> one.startsWith("ldaps:")).distinct().count() > 1) {
            reading.problem(ldap, "url", "all are of ldaps, or none is");
        }
        boolean start = ldap.get("start-tls", Boolean.class).orElse(false);
        if (special && !start && urls.stream().anyMatch(one -> one.startsWith("ldap:"))) {
            String said = !verify ? "verify" : ldap.has("trust") ? "trust" : "cert";
            reading.problem(ldap, said, "nothing is encrypted: write ldaps, or start-tls: true");
        }
    }
}
