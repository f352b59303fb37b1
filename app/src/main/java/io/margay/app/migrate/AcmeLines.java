package io.margay.app.migrate;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.DnsCommands;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import java.nio.file.Path;

/// Writes a certificate that the server gets by itself as the key `acme` of a host; what holds by
/// default is left out. Stateless.
final class AcmeLines {
    private AcmeLines() {}

    static String of(AcmeCertificate one) {
        YamlLine line = new YamlLine().texts("domains", one.domains());
        AcmeAuthority authority = one.authority();
        if (!authority.directory().equals(AcmeAuthority.directory(AcmeAuthority.DEFAULT))) {
            line.text("ca", authority.directory().toString());
        }
        Path roots = authority.roots();
        if (roots != null) {
            line.text("ca-file", roots.toString());
        }
        if (authority.email() != null) {
            line.text("email", authority.email());
        }
        AcmeAuthority.Binding binding = authority.binding();
        if (binding != null) {
            line.raw("eab", of(binding).toString());
        }
        line.texts("challenges", one.challenges().stream().map(AcmeChallengeKind::word).toList());
        DnsCommands dns = one.dns();
        if (dns != null) {
            line.raw(
                    "dns",
                    new YamlLine().texts("set", dns.set()).texts("unset", dns.unset()).toString());
        }
        if (one.key() != KeyKind.EC256) {
            line.text("key", ConfigWriter.lower(one.key()));
        }
        if (one.profile() != null) {
            line.text("profile", one.profile());
        }
        return line.toString();
    }

    private static YamlLine of(AcmeAuthority.Binding binding) {
        YamlLine line = new YamlLine().text("kid", binding.kid());
        Path file = binding.file();
        return file == null
                ? line.text("hmac", String.valueOf(binding.hmac()))
                : line.text("hmac-file", file.toString());
    }
}
