package io.margay.compat.httpd.domain;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate.DnsCommands;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What mod_md's directives say of one managed domain, or of all; null where they say nothing.
/// Confined to one reading.
final class DomainSettings {
    @Nullable URI directory;
    @Nullable Path roots;
    @Nullable String email;

    /// Whether it is said what ties the account to one elsewhere, or that nothing does.
    @Nullable Boolean bound;

    AcmeAuthority.@Nullable Binding binding;
    @Nullable Boolean agreed;
    @Nullable List<AcmeChallengeKind> challenges;
    @Nullable DnsCommands dns;
    @Nullable KeyKind key;
    @Nullable String profile;
    @Nullable Boolean stapling;

    /// Whether the names of virtual hosts become names of the domain.
    @Nullable Boolean auto;

    /// Whether the authority reaches a listener for HTTP, and one for TLS.
    @Nullable Boolean http;

    @Nullable Boolean https;

    /// Whether it is ordered also where no virtual host has its names.
    @Nullable Boolean always;

    /// Certificates that are there already.
    final List<Path> certificates = new ArrayList<>();

    final List<Path> keys = new ArrayList<>();

    /// What holds for a domain: its own, else what is said of all.
    DomainSettings within(DomainSettings all) {
        DomainSettings merged = new DomainSettings();
        merged.directory = either(directory, all.directory);
        merged.roots = either(roots, all.roots);
        merged.email = either(email, all.email);
        merged.bound = either(bound, all.bound);
        merged.binding = bound != null ? binding : all.binding;
        merged.agreed = either(agreed, all.agreed);
        merged.challenges = either(challenges, all.challenges);
        merged.dns = either(dns, all.dns);
        merged.key = either(key, all.key);
        merged.profile = either(profile, all.profile);
        merged.stapling = either(stapling, all.stapling);
        merged.auto = either(auto, all.auto);
        merged.http = either(http, all.http);
        merged.https = either(https, all.https);
        merged.always = either(always, all.always);
        merged.certificates.addAll(certificates);
        merged.keys.addAll(keys);
        return merged;
    }

    private static <T> @Nullable T either(@Nullable T own, @Nullable T all) {
        return own != null ? own : all;
    }

    boolean isAuto() {
        return !Boolean.FALSE.equals(auto);
    }

    AcmeAuthority authority() {
        return new AcmeAuthority(
                directory == null ? AcmeAuthority.directory(AcmeAuthority.DEFAULT) : directory,
                roots,
                email,
                binding);
    }

    /// The challenges that can come true; what is said counts, in its order.
    List<AcmeChallengeKind> possible() {
        List<AcmeChallengeKind> wanted = new ArrayList<>();
        if (challenges != null) {
            wanted.addAll(challenges);
        } else {
            wanted.add(AcmeChallengeKind.TLS_ALPN_01);
            wanted.add(AcmeChallengeKind.HTTP_01);
            wanted.add(AcmeChallengeKind.DNS_01);
        }
        wanted.removeIf(one ->
                switch (one) {
                    case HTTP_01 -> Boolean.FALSE.equals(http);
                    case TLS_ALPN_01 -> Boolean.FALSE.equals(https);
                    case DNS_01 -> dns == null;
                });
        return wanted;
    }
}
