package io.margay.app.config.file.login;

import static io.margay.app.yaml.Shape.anyText;
import static io.margay.app.yaml.Shape.duration;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.yaml.Amounts;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.server.directory.DirectoryAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The keys that say how a directory is reached, the same for hosts and for the realms of
/// applications. Immutable.
///
/// @param url the key of the URLs
/// @param bind the key of the name of who searches
public record DirectoryAccessKeys(String url, String bind) {
    /// @param path of a file
    public List<Shape.Key> shape(Shape path) {
        return List.of(
                optional(
                        "start-tls",
                        flag(),
                        "false",
                        "Whether TLS begins after connecting to `ldap://`."),
                optional(
                        "trust",
                        path,
                        "the JDK's authorities",
                        "PEM file of the authorities that sign the directory's certificate. It is"
                                + " read again when it has changed."),
                optional(
                        "verify",
                        flag(),
                        "true",
                        "Whether that certificate is checked. Without it, whoever is between can"
                                + " read the passwords."),
                optional(
                        "cert",
                        path,
                        "none is shown",
                        "PEM file with a certificate for directories that ask for one. It is read"
                                + " again when it has changed, and so is `key`."),
                optional("key", path, "needed with `cert`", "PEM file with its key."),
                optional(
                        bind,
                        text("a name"),
                        "nobody",
                        "The name with which the server logs in to search."),
                optional(
                        "bind-password",
                        anyText().asSecret(),
                        "none",
                        "Its password, best given as `${NAME}`, from the environment."),
                optional(
                        "bind-password-file",
                        path,
                        "none",
                        "The same in a file, which is read each time."),
                optional(
                        "timeout",
                        duration(),
                        Amounts.write(DirectoryAccess.TIMEOUT_DEFAULT),
                        "Timeout of connecting, and of each answer."));
    }

    /// Reads them.
    ///
    /// @param file makes the path of a key
    /// @return null when there is a problem with which nothing can be made
    public @Nullable DirectoryAccess read(
            Settings ldap, Function<String, @Nullable Path> file, List<Problem> problems) {
        Path cert = file.apply("cert");
        Path key = file.apply("key");
        if ((cert == null) != (key == null)) {
            problem(ldap, cert == null ? "key" : "cert", "cert and key belong together", problems);
        }
        DirectoryAccess.Tls tls =
                new DirectoryAccess.Tls(
                        ldap.get("start-tls", Boolean.class).orElse(false),
                        file.apply("trust"),
                        ldap.get("verify", Boolean.class).orElse(true),
                        cert == null || key == null ? null : new DirectoryAccess.Own(cert, key));
        if (tls.trust() != null && !tls.verify()) {
            problem(ldap, "trust", "nothing is checked by it: verify", problems);
        }
        if (ldap.has("bind-password") && ldap.has("bind-password-file")) {
            problem(ldap, "bind-password", "it is a text, or in a file", problems);
        }
        if (ldap.has(bind) && !ldap.has("bind-password") && !ldap.has("bind-password-file")) {
            problem(ldap, bind, "it needs bind-password", problems);
        }
        List<String> urls = ldap.list(url, String.class);
        if (tls.isSpecial()
                && urls.stream().map(one -> one.startsWith("ldaps:")).distinct().count() > 1) {
            problem(ldap, url, "all are of ldaps, or none is", problems);
        }
        if (tls.isSpecial()
                && !tls.start()
                && urls.stream().anyMatch(one -> one.startsWith("ldap:"))) {
            String said = !tls.verify() ? "verify" : tls.trust() != null ? "trust" : "cert";
            problem(ldap, said, "nothing is encrypted: write ldaps, or start-tls: true", problems);
        }
        Duration timeout = ldap.duration("timeout").orElse(DirectoryAccess.TIMEOUT_DEFAULT);
        try {
            return new DirectoryAccess(
                    urls,
                    tls,
                    new DirectoryAccess.Bind(
                            ldap.text(bind).orElse(null),
                            ldap.text("bind-password").orElse(null),
                            file.apply("bind-password-file")),
                    timeout,
                    timeout);
        } catch (IllegalArgumentException e) {
            problem(ldap, url, String.valueOf(e.getMessage()), problems);
            return null;
        }
    }

    private static void problem(Settings ldap, String key, String message, List<Problem> problems) {
        problems.add(new Problem(ldap.position(key), message));
    }
}
