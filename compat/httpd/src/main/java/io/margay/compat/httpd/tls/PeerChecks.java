package io.margay.compat.httpd.tls;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.config.PeerConfig;
import io.margay.transport.TlsClientConfig.Unverified;
import io.margay.transport.TlsConfig.Certificate;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a server says of the certificates of its https:// peers; null where it says nothing.
/// Confined to one reading.
public final class PeerChecks {
    private static final Set<String> VERIFYING = Set.of("require", "optional");

    private @Nullable Boolean verify;
    private @Nullable Path trust;
    private @Nullable Boolean name;
    private @Nullable Boolean commonName;
    private @Nullable Boolean dates;

    /// What has names or dates not looked at.
    private @Nullable HttpdNode loose;

    /// Takes the file of the authorities.
    public void trust(Path file) {
        trust = file;
    }

    /// Reads `SSLProxyVerify` and `SSLProxyCheckPeer…`. What a section opens is not followed, for
    /// the whole host would be.
    public void read(
            HttpdDirective directive,
            HttpdNode node,
            HttpdSection section,
            ReadingContext context) {
        boolean ofVerify = directive == HttpdDirective.SSL_PROXY_VERIFY;
        String word = node.argument(0).toLowerCase(Locale.ROOT);
        boolean on = ofVerify ? VERIFYING.contains(word) : node.isOn();
        if (!section.isNone() && !on) {
            context.changed(node, "applies to a whole host only");
            return;
        }
        switch (directive) {
            case SSL_PROXY_VERIFY -> verify = on;
            case SSL_PROXY_CHECK_NAME -> name = on;
            case SSL_PROXY_CHECK_CN -> commonName = on;
            case SSL_PROXY_CHECK_EXPIRE -> dates = on;
            default -> throw new IllegalStateException(directive.word());
        }
        loose = ofVerify || on ? loose : node;
        context.honoured(node, "for every https:// peer of the host");
    }

    /// What holds for a virtual host, directive by directive: its own, else the main server's.
    ///
    /// @param shown certificates for peers that ask for one
    public PeerConfig.Tls within(PeerChecks main, List<Certificate> shown) {
        return new PeerConfig.Tls(
                Boolean.TRUE.equals(either(verify, main.verify)),
                either(trust, main.trust),
                null,
                shown,
                unverified(main));
    }

    /// mod_ssl looks at names and dates of certificates that it does not verify, unless it is told
    /// not to.
    private Unverified unverified(PeerChecks main) {
        if (checksName(main)) {
            return Unverified.NAMED;
        }
        return checksDates(main) ? Unverified.DATED : Unverified.ANY;
    }

    private boolean checksName(PeerChecks main) {
        Boolean ofName = either(name, main.name);
        Boolean ofCommonName = either(commonName, main.commonName);
        return Boolean.TRUE.equals(ofName)
                || Boolean.TRUE.equals(ofCommonName)
                || (ofName == null && ofCommonName == null);
    }

    private boolean checksDates(PeerChecks main) {
        return !Boolean.FALSE.equals(either(dates, main.dates));
    }

    /// Names what is checked though it need not be.
    public void check(PeerChecks main, ReadingContext context) {
        // A host that says nothing is as the main server, of which it is said once.
        boolean same = verify == null && name == null && commonName == null;
        HttpdNode node = loose != null || same ? loose : main.loose;
        if (node == null) {
            return;
        }
        if (Boolean.TRUE.equals(either(verify, main.verify)) && !checksName(main)) {
            context.changed(node, "with SSLProxyVerify require the name is checked all the same");
        } else if (checksName(main) && !checksDates(main)) {
            context.changed(node, "where names are checked, dates are, too");
        }
    }

    private static <T> @Nullable T either(@Nullable T own, @Nullable T ofMain) {
        return own != null ? own : ofMain;
    }
}
