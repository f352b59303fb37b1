package io.margay.compat.httpd.domain;

import io.margay.compat.account.Place;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdDirective.Subject;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeConfig;
import io.margay.transport.TlsConfig.Certificate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The managed domains of mod_md: names that have a certificate from an authority, which each
/// virtual host shows that has one of them and no certificate of its own. Confined to one reading.
public final class HttpdDomains {
    private static final Set<String> SECTIONS = Set.of("mdomainset", "mdomain");
    private static final String NAME =
            "(\\*\\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*";
    private static final int NAME_CHARS_MAX = 253;

    private final ReadingContext context;
    private final DomainDirectives directives;
    private final DomainSettings all = new DomainSettings();
    private final List<Domain> domains = new ArrayList<>();
    private final Set<Domain> used = new HashSet<>();
    private Path storage = Path.of("work", "acme").toAbsolutePath();

    /// A managed domain.
    private record Domain(Set<String> names, DomainSettings settings, Place place) {
        String first() {
            return names.iterator().next();
        }
    }

    /// What a virtual host shows.
    ///
    /// @param stapling whether a response is stapled to it
    public record Shown(List<Certificate> certificates, boolean stapling) {}

    public HttpdDomains(ReadingContext context) {
        this.context = context;
        directives = new DomainDirectives(context);
    }

    /// Whether a directive or section is mod_md's and read here.
    public static boolean knows(HttpdNode node) {
        HttpdDirective directive = HttpdDirective.of(node.name());
        return node.section()
                ? SECTIONS.contains(node.key())
                : directive != null && directive.subject() == Subject.DOMAINS;
    }

    /// Whether a directive outside of an `MDomainSet` is about all domains.
    public static boolean isOfAll(HttpdNode node) {
        return !node.section() && !node.key().equals("mdomain");
    }

    public void read(HttpdNode node) {
        if (node.section()) {
            context.account().honoured(node.place(), node.title());
            Domain domain = domain(node);
            for (HttpdNode child : node.children()) {
                within(child, domain);
            }
        } else {
            switch (node.key()) {
                case "mdomain" -> {
                    domain(node);
                    context.honoured(node);
                }
                case "mdmember" -> context.wrong(node, "belongs into an MDomainSet");
                case "mdmembers" -> members(node, all);
                case "mdstoredir" -> store(node);
                default -> directives.read(node, all);
            }
        }
    }

    private void within(HttpdNode node, Domain domain) {
        switch (node.key()) {
            case "mdmember", "mdmembers" -> {
                if (!names(node, domain)) {
                    members(node, domain.settings);
                } else {
                    context.honoured(node);
                }
            }
            case "mdomain", "mdomainset", "mdstoredir" ->
                    context.wrong(node, "is not allowed in a section");
            default -> {
                if (knows(node)) {
                    directives.read(node, domain.settings);
                } else {
                    context.changed(node, "is not supported in an MDomainSet, and is ignored");
                }
            }
        }
    }

    private Domain domain(HttpdNode node) {
        Domain domain = new Domain(new LinkedHashSet<>(), new DomainSettings(), node.place());
        names(node, domain);
        if (domain.names.isEmpty()) {
            context.account().wrong(node.place(), node.title(), "names no domain");
        } else {
            domains.add(domain);
        }
        return domain;
    }

    /// Takes the names of a line.
    ///
    /// @return false when it has none
    private boolean names(HttpdNode node, Domain domain) {
        boolean found = false;
        for (String word : node.arguments()) {
            String name = word.toLowerCase(Locale.ROOT);
            if (name.equals("auto") || name.equals("manual")) {
                domain.settings.auto = name.equals("auto");
            } else if (!name.matches(NAME) || name.length() > NAME_CHARS_MAX) {
                context.account()
                        .wrong(node.place(), node.title(), "\"" + word + "\" is not a host name");
            } else {
                domain.names.add(name);
                found = true;
            }
        }
        return found;
    }

    private void members(HttpdNode node, DomainSettings into) {
        String word = node.argument(0).toLowerCase(Locale.ROOT);
        if (word.equals("auto") || word.equals("manual")) {
            into.auto = word.equals("auto");
            context.honoured(node);
        } else {
            context.wrong(node, "\"" + word + "\" is not one of auto, manual");
        }
    }

    private void store(HttpdNode node) {
        Path folder = context.path(node.argument(0));
        if (folder == null) {
            context.wrong(node, "\"" + node.argument(0) + "\" is not a path");
        } else {
            storage = folder.resolve("margay");
            context.changed(
                    node,
                    "accounts and certificates are kept in " + storage + ", and ordered again");
        }
    }

    /// What virtual hosts show, each by the names that it has.
    ///
    /// @param hosts the names of those that speak TLS and have no certificate, `ServerName` first
    /// @return by the first of their names
    public Map<String, Shown> shown(List<List<String>> hosts) {
        for (List<String> names : hosts) {
            Domain domain = names.isEmpty() ? null : of(names.getFirst());
            if (domain != null && domain.settings.within(all).isAuto()) {
                names.stream()
                        .filter(name -> name.matches(NAME) && of(name) == null)
                        .forEach(domain.names::add);
            }
        }
        Map<String, Shown> shown = new HashMap<>();
        for (List<String> names : hosts) {
            Domain domain = names.isEmpty() ? null : of(names.getFirst());
            if (domain != null) {
                used.add(domain);
                shown.put(names.getFirst(), shown(domain));
            }
        }
        return shown;
    }

    private @Nullable Domain of(String name) {
        for (Domain domain : domains) {
            String wildcard = "*" + name.substring(Math.max(0, name.indexOf('.')));
            if (domain.names.contains(name) || domain.names.contains(wildcard)) {
                return domain;
            }
        }
        return null;
    }

    private Shown shown(Domain domain) {
        DomainSettings settings = domain.settings.within(all);
        boolean stapling = Boolean.TRUE.equals(settings.stapling);
        if (!settings.certificates.isEmpty()) {
            List<Certificate> own = new ArrayList<>();
            for (int i = 0; i < settings.certificates.size(); i++) {
                Path cert = settings.certificates.get(i);
                own.add(
                        new Certificate(
                                cert, i < settings.keys.size() ? settings.keys.get(i) : cert));
            }
            return new Shown(own, stapling);
        }
        Path file = certificate(domain).file(storage);
        return new Shown(List.of(new Certificate(file, file)), stapling);
    }

    private AcmeCertificate certificate(Domain domain) {
        DomainSettings settings = domain.settings.within(all);
        return new AcmeCertificate(
                List.copyOf(domain.names),
                settings.authority(),
                settings.possible(),
                settings.dns,
                settings.key == null ? KeyKind.RSA2048 : settings.key,
                settings.profile,
                null);
    }

    /// The certificates to be ordered. To be asked when it is known what virtual hosts show.
    public AcmeConfig config() {
        List<AcmeCertificate> wanted = new ArrayList<>();
        for (Domain domain : domains) {
            DomainSettings settings = domain.settings.within(all);
            boolean ordered = used.contains(domain) || Boolean.TRUE.equals(settings.always);
            if (!settings.certificates.isEmpty() || !ordered) {
                continue;
            }
            AcmeCertificate certificate = certificate(domain);
            wanted.add(certificate);
            if (!Boolean.TRUE.equals(settings.agreed)) {
                wrong(domain, "needs MDCertificateAgreement accepted, as in httpd");
            }
            if (certificate.challenges().isEmpty()) {
                wrong(
                        domain,
                        "has no challenge that is possible; see MDCAChallenges and MDPortMap");
            } else if (certificate.hasWildcard() && settings.dns == null) {
                wrong(domain, "has a wildcard, which needs MDChallengeDns01");
            }
        }
        return wanted.isEmpty() ? AcmeConfig.NONE : new AcmeConfig(storage, wanted);
    }

    private void wrong(Domain domain, String text) {
        context.account().wrong(domain.place, "MDomain " + domain.first(), text);
    }
}
