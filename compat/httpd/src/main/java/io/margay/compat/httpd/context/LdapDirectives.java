package io.margay.compat.httpd.context;

import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.server.directory.DirectoryAccess;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What `LDAPTrustedGlobalCert`, `LDAPTrustedMode` and `LDAPVerifyServerCert` say of all
/// directories. Confined to one reading.
public final class LdapDirectives {
    private final ReadingContext context;
    private @Nullable Path trust;
    private @Nullable HttpdNode trusted;
    private boolean verify = true;
    private String mode = "none";

    LdapDirectives(ReadingContext context) {
        this.context = context;
    }

    /// Takes a directive.
    ///
    /// @param main whether it stands in the main server, outside of all sections
    public void read(HttpdNode node, boolean main) {
        String word = node.argument(0).toLowerCase(Locale.ROOT);
        if (!main) {
            context.wrong(node, "write it outside of virtual hosts and sections");
            return;
        }
        switch (node.key()) {
            case "ldaptrustedglobalcert" -> trust(node, word);
            case "ldaptrustedmode" -> {
                if (node.size() == 1 && word.matches("none|ssl|tls|starttls")) {
                    mode = word;
                    context.honoured(node);
                } else {
                    context.wrong(node, "write NONE, SSL or STARTTLS");
                }
            }
            default -> {
                if (node.size() == 1 && word.matches("on|off")) {
                    verify = word.equals("on");
                    context.honoured(node);
                } else {
                    context.wrong(node, "write On or Off");
                }
            }
        }
    }

    private void trust(HttpdNode node, String type) {
        Path file = node.size() == 2 ? context.path(node.argument(1)) : null;
        if (!type.equals("ca_base64") || file == null) {
            context.wrong(node, "write CA_BASE64 FILE, with certificates in PEM");
        } else if (trusted != null) {
            context.wrong(node, "one file is read: write the certificates of both into it");
        } else {
            trust = file;
            trusted = node;
            context.honoured(node);
        }
    }

    /// How TLS is spoken with a directory of this URL.
    ///
    /// @param secure whether it is of `ldaps:`
    /// @param own the word behind the URL, or empty
    /// @param shown what a directory gets that asks for a certificate; null = nothing
    public DirectoryAccess.Tls of(boolean secure, String own, DirectoryAccess.@Nullable Own shown) {
        String word = own.isEmpty() ? mode : own.toLowerCase(Locale.ROOT);
        boolean start = !secure && (word.equals("tls") || word.equals("starttls"));
        return secure || start
                ? new DirectoryAccess.Tls(start, verify ? trust : null, verify, shown)
                : DirectoryAccess.Tls.DEFAULT;
    }

    /// Whether a URL of `ldap:` means `ldaps:`.
    ///
    /// @param own the word behind the URL, or empty
    public boolean isSsl(String own) {
        return (own.isEmpty() ? mode : own).equalsIgnoreCase("ssl");
    }
}
