package io.margay.app.acme;

import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Reading;
import io.margay.app.yaml.Settings;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.acme.AcmeLimits;
import io.margay.transport.TlsConfig.Certificate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Collects the certificates that a file has the server get by itself. Used by one thread.
public final class AcmeReader {
    private final Reading reading;

    /// What is said of all of them.
    private final AcmeCertificate all;

    private final AcmeConfig config;

    /// Whether there is a listener for HTTP without TLS.
    private final boolean plain;

    private final Map<String, AcmeCertificate> found = new LinkedHashMap<>();

    public AcmeReader(Settings root, Reading reading) {
        this.reading = reading;
        Path work = root.text("work").map(reading::path).orElse(reading.base().resolve("work"));
        AcmeConfig otherwise =
                new AcmeConfig(
                        work.resolve(AcmeKeys.ACME),
                        AcmeConfig.NONE.certificates(),
                        AcmeConfig.NONE.ordersMax());
        config = AcmeKeys.OF_FILE.below(root, AcmeKeys.ACME, otherwise, reading);
        all = AcmeKeys.COMMON.below(root, AcmeKeys.ACME, AcmeKeys.COMMON.defaults(), reading);
        plain =
                !root.has("listeners")
                        || root.list("listeners", Settings.class).stream()
                                .anyMatch(one -> one.has("http"));
    }

    /// What has been read.
    public AcmeConfig config() {
        return new AcmeConfig(config.storage(), List.copyOf(found.values()), config.ordersMax());
    }

    /// The certificates of hosts, which all listeners with TLS have.
    public List<Certificate> ofHosts(Settings root) {
        List<Certificate> certificates = new ArrayList<>();
        for (Settings host : root.list("hosts", Settings.class)) {
            if (!host.has(AcmeKeys.ACME)) {
                continue;
            }
            List<String> names = new ArrayList<>();
            host.text("name").ifPresent(names::add);
            names.addAll(host.list("aliases", String.class));
            read(host, names).ifPresent(certificates::add);
        }
        if (!certificates.isEmpty()
                && root.list("listeners", Settings.class).stream()
                        .noneMatch(one -> one.has("https"))) {
            reading.problem(root, "hosts", "\"acme\" needs an https listener");
        }
        return certificates;
    }

    /// The certificate of a section that may have the key.
    ///
    /// @param names its names where the key says none
    public Optional<Certificate> read(Settings section, List<String> names) {
        Settings acme = section.section(AcmeKeys.ACME).orElse(null);
        if (acme == null) {
            return Optional.empty();
        }
        Draft<AcmeCertificate> otherwise = new Draft<>(all);
        List<String> valid = acme.has("domains") ? List.of() : names(acme, names);
        otherwise.set("domains", valid.isEmpty() ? List.of(AcmeKeys.UNNAMED) : valid);
        AcmeCertificate read = AcmeKeys.OF_HOST.read(acme, otherwise.build(), reading);
        List<String> domains = read.domains();
        if (domains.equals(List.of(AcmeKeys.UNNAMED))) {
            problem(acme, "domains", "a certificate needs \"domains\"");
            return Optional.empty();
        }
        if (domains.size() > AcmeLimits.defaults().domainsMax()) {
            problem(
                    acme,
                    "domains",
                    "a certificate has at most "
                            + AcmeLimits.defaults().domainsMax()
                            + " names; "
                            + domains.size()
                            + " stand here");
        }
        Draft<AcmeCertificate> made = new Draft<>(read);
        if (read.challenges().isEmpty()) {
            made.set("challenges", challenges(read));
        }
        AcmeCertificate certificate = made.build();
        check(acme, certificate);
        AcmeCertificate other = found.putIfAbsent(certificate.name(), certificate);
        if (other != null && !other.equals(certificate)) {
            problem(
                    acme,
                    "domains",
                    "another certificate begins with "
                            + certificate.domains().getFirst()
                            + ", too, and has other settings");
        }
        Path file = certificate.file(config.storage());
        return Optional.of(new Certificate(file, file));
    }

    private List<String> names(Settings acme, List<String> names) {
        List<String> valid = new ArrayList<>();
        for (String name : names) {
            try {
                valid.add(AcmeKeys.domain(name));
            } catch (IllegalArgumentException e) {
                problem(acme, "domains", "\"acme\" needs \"domains\": " + name + " cannot be one");
            }
        }
        return valid;
    }

    private void check(Settings acme, AcmeCertificate certificate) {
        boolean byRecord =
                certificate.dns() != null
                        && certificate.challenges().contains(AcmeChallengeKind.DNS_01);
        if (certificate.hasWildcard() && !byRecord) {
            problem(
                    acme,
                    "domains",
                    "a wildcard is proved by dns-01 only: say \"dns\", the commands that set and"
                            + " remove records");
        }
        if (certificate.dns() == null
                && certificate.challenges().contains(AcmeChallengeKind.DNS_01)) {
            problem(acme, "challenges", "dns-01 needs \"dns\"");
        }
        if (certificate.challenges().equals(List.of(AcmeChallengeKind.HTTP_01)) && !plain) {
            problem(
                    acme,
                    "challenges",
                    "http-01 needs an http listener that clients reach at port 80");
        }
    }

    private List<AcmeChallengeKind> challenges(AcmeCertificate of) {
        if (of.dns() != null) {
            return List.of(AcmeChallengeKind.DNS_01);
        }
        return plain
                ? List.of(AcmeChallengeKind.HTTP_01, AcmeChallengeKind.TLS_ALPN_01)
                : List.of(AcmeChallengeKind.TLS_ALPN_01);
    }

    private void problem(Settings section, String key, String message) {
        reading.problem(section, key, message);
    }
}
