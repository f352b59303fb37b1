package io.margay.app.acme;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.DnsCommands;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.acme.AcmeLimits;
import io.margay.transport.TlsConfig.Certificate;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Collects the certificates that a file has the server get by itself. Used by one thread.
public final class AcmeReader {
    private final Path base;
    private final List<Problem> problems;
    private final Optional<Settings> all;
    private final Path storage;

    /// Whether there is a listener for HTTP without TLS.
    private final boolean plain;

    private final Map<String, AcmeCertificate> found = new LinkedHashMap<>();

    /// @param base folder of the file
    public AcmeReader(Path base, Settings root, List<Problem> problems) {
        this.base = base;
        this.problems = problems;
        all = root.section(AcmeKeys.ACME);
        storage =
                all.flatMap(one -> path(one, "storage"))
                        .orElseGet(() ->
                                path(root, "work")
                                        .orElse(base.resolve("work"))
                                        .resolve(AcmeKeys.ACME));
        plain =
                !root.has("listeners")
                        || root.list("listeners", Settings.class).stream()
                                .anyMatch(one -> one.has("http"));
    }

    /// What has been read.
    public AcmeConfig config() {
        return new AcmeConfig(
                storage,
                List.copyOf(found.values()),
                all.flatMap(one -> one.number("orders-max"))
                        .map(Math::toIntExact)
                        .orElse(AcmeConfig.ORDERS));
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
            problems.add(
                    new Problem(
                            root.position("hosts"),
                            "the certificates of \"acme\" have no https listener to be shown at"));
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
        List<String> domains =
                acme.has("domains") ? acme.list("domains", String.class) : names(acme, names);
        if (domains.isEmpty()) {
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
        AcmeCertificate certificate =
                new AcmeCertificate(
                        domains,
                        authority(acme),
                        challenges(acme),
                        commands(acme).orElse(null),
                        said(acme, "key")
                                .flatMap(one -> one.text("key"))
                                .map(word -> KeyKind.valueOf(word.toUpperCase(Locale.ROOT)))
                                .orElse(KeyKind.EC256),
                        said(acme, "profile").flatMap(one -> one.text("profile")).orElse(null),
                        said(acme, "staging-first")
                                .flatMap(one -> one.get("staging-first", URI.class))
                                .orElse(null));
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
        Path file = certificate.file(storage);
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

    private AcmeAuthority authority(Settings acme) {
        URI directory =
                said(acme, "ca")
                        .flatMap(one -> one.get("ca", URI.class))
                        .orElseGet(() -> AcmeAuthority.directory(AcmeAuthority.DEFAULT));
        return new AcmeAuthority(
                directory,
                said(acme, "ca-file").flatMap(one -> existing(one, "ca-file")).orElse(null),
                said(acme, "email").flatMap(one -> one.text("email")).orElse(null),
                said(acme, "eab")
                        .flatMap(one -> one.section("eab"))
                        .flatMap(this::binding)
                        .orElse(null));
    }

    private Optional<AcmeAuthority.Binding> binding(Settings eab) {
        String kid = eab.text("kid").orElse("");
        return eab.has("hmac")
                ? eab.text("hmac").map(key -> new AcmeAuthority.Binding(kid, key, null))
                : existing(eab, "hmac-file")
                        .map(file -> new AcmeAuthority.Binding(kid, null, file));
    }

    private List<AcmeChallengeKind> challenges(Settings acme) {
        Optional<Settings> saying = said(acme, "challenges");
        if (saying.isPresent()) {
            return saying.get().list("challenges", String.class).stream()
                    .map(AcmeChallengeKind::of)
                    .toList();
        }
        if (said(acme, "dns").isPresent()) {
            return List.of(AcmeChallengeKind.DNS_01);
        }
        return plain
                ? List.of(AcmeChallengeKind.HTTP_01, AcmeChallengeKind.TLS_ALPN_01)
                : List.of(AcmeChallengeKind.TLS_ALPN_01);
    }

    private Optional<DnsCommands> commands(Settings acme) {
        return said(acme, "dns")
                .flatMap(one -> one.section("dns"))
                .map(dns ->
                        new DnsCommands(
                                dns.list("set", String.class), dns.list("unset", String.class)));
    }

    /// The section that says a key: its own, or that of the file.
    private Optional<Settings> said(Settings acme, String key) {
        Predicate<Settings> says = one -> one.has(key);
        return Optional.of(acme).filter(says).or(() -> all.filter(says));
    }

    private Optional<Path> path(Settings section, String key) {
        return section.text(key).map(text -> base.resolve(text).normalize());
    }

    private Optional<Path> existing(Settings section, String key) {
        Optional<Path> path = path(section, key);
        path.filter(file -> !Files.exists(file))
                .ifPresent(file ->
                        problem(section, key, "\"" + key + "\": " + file + " does not exist"));
        return path;
    }

    private void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }
}
