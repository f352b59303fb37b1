package io.margay.server.acme;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A certificate that is to be had from an authority and renewed in time. Immutable.
///
/// @param domains its names in lower case, at least one; `*.name` needs DNS-01
/// @param challenges those that may be used, the one to begin with first; after a failure another
///   one is tried
/// @param dns what sets and removes DNS records, or null
/// @param key what kind of key it is for; each certificate has a new one
/// @param profile by which the authority is to issue it, or null
/// @param rehearsal directory of another authority that must have issued it once before the real
///   one is asked, or null
public record AcmeCertificate(
        List<String> domains,
        AcmeAuthority authority,
        List<AcmeChallengeKind> challenges,
        @Nullable DnsCommands dns,
        KeyKind key,
        @Nullable String profile,
        @Nullable URI rehearsal) {
    /// The kind of a key.
    public enum KeyKind {
        EC256,
        EC384,
        RSA2048,
        RSA3072,
        RSA4096
    }

    /// Commands that set and remove the TXT record of a challenge: the program and its arguments.
    public record DnsCommands(List<String> set, List<String> unset) {
        public DnsCommands {
            set = List.copyOf(set);
            unset = List.copyOf(unset);
        }
    }

    public AcmeCertificate {
        domains = domains.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().toList();
        challenges = List.copyOf(challenges);
        if (domains.isEmpty()) {
            throw new IllegalArgumentException("a certificate needs a name");
        }
    }

    /// What its folder is called.
    public String name() {
        return domains.getFirst().replace("*", "_");
    }

    /// The file with chain and key, which is there from the start of the server on: a self-signed
    /// certificate until one has been issued.
    public Path file(Path storage) {
        return storage.resolve("certificates").resolve(name()).resolve("certificate.pem");
    }

    /// Whether a name stands for others.
    public boolean hasWildcard() {
        return domains.stream().anyMatch(name -> name.startsWith("*."));
    }
}
