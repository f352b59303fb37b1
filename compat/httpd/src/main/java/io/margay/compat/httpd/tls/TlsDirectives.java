package io.margay.compat.httpd.tls;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.transport.ClientCertificates.CrlCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Reads mod_ssl's directives about clients. Confined to one reading.
public final class TlsDirectives {
    private static final Set<String> VERSIONS =
            Set.of("all", "sslv2", "sslv3", "tlsv1", "tlsv1.1", "tlsv1.2", "tlsv1.3");

    private final ReadingContext context;

    public TlsDirectives(ReadingContext context) {
        this.context = context;
    }

    public void read(HttpdDirective directive, HttpdNode node, HttpdTls tls, HttpdSection section) {
        boolean inSection = section.base().kind() != HttpdSection.Kind.NONE;
        switch (directive) {
            case SSL_VERIFY_CLIENT -> verify(node, tls, inSection);
            case SSL_VERIFY_DEPTH -> depth(node, tls, inSection);
            default -> {
                if (inSection) {
                    context.wrong(node, "is not allowed in a section");
                } else {
                    server(directive, node, tls);
                }
            }
        }
    }

    private void server(HttpdDirective directive, HttpdNode node, HttpdTls tls) {
        switch (directive) {
            case SSL_ENGINE -> {
                tls.engine = node.isOn();
                context.honoured(node);
            }
            case SSL_CERTIFICATE_FILE -> file(node).ifPresent(tls.certificates::add);
            case SSL_CERTIFICATE_KEY_FILE -> file(node).ifPresent(tls.keys::add);
            case SSL_CERTIFICATE_CHAIN_FILE -> set(node, path -> tls.chain = path);
            case SSL_PROTOCOL -> protocols(node, tls);
            case SSLCA_CERTIFICATE_FILE -> set(node, path -> tls.trustFile = path);
            case SSLCA_CERTIFICATE_PATH -> set(node, path -> tls.trustFolder = path);
            case SSLCADN_REQUEST_FILE -> set(node, path -> tls.namesFile = path);
            case SSLCADN_REQUEST_PATH -> set(node, path -> tls.namesFolder = path);
            case SSLCA_REVOCATION_FILE -> set(node, path -> tls.crlFile = path);
            case SSLCA_REVOCATION_PATH -> set(node, path -> tls.crlFolder = path);
            case SSLCA_REVOCATION_CHECK -> revocation(node, tls);
            case SSL_USE_STAPLING -> {
                tls.stapling = node.isOn();
                context.honoured(node);
            }
            case SSL_OCSP_ENABLE -> responders(node, tls);
            default -> throw new IllegalStateException(directive.word());
        }
    }

    private void set(HttpdNode node, Consumer<Path> setter) {
        file(node).ifPresent(setter);
    }

    /// A file or folder that a directive names.
    public Optional<Path> file(HttpdNode node) {
        Path path = context.path(node.argument(0));
        if (path == null) {
            context.wrong(node, "\"" + node.argument(0) + "\" is not a path");
            return Optional.empty();
        }
        context.honoured(node);
        return Optional.of(path);
    }

    private void verify(HttpdNode node, HttpdTls tls, boolean inSection) {
        String word = node.argument(0).toLowerCase(Locale.ROOT);
        if (!Set.of("none", "optional", "optional_no_ca", "require").contains(word)) {
            context.wrong(node, "\"" + word + "\" is not one of none, optional, require");
        } else if (inSection && word.equals("none")) {
            context.noted(
                    node, "the handshake comes first, and follows the settings of the" + " server");
        } else if (inSection) {
            context.wrong(
                    node,
                    "a certificate is requested in the handshake, before the path is known: move"
                            + " what needs one into a VirtualHost with its own name");
        } else {
            tls.verify = word;
            if (word.equals("optional_no_ca")) {
                context.changed(node, "a certificate that no known CA has signed is refused");
            } else {
                context.honoured(node);
            }
        }
    }

    private void depth(HttpdNode node, HttpdTls tls, boolean inSection) {
        String text = node.argument(0);
        if (!text.matches("[0-9]{1,6}")) {
            context.wrong(node, "\"" + text + "\" is not a number");
        } else if (text.matches("0+")) {
            context.wrong(
                    node, "0 accepts only self-signed certificates; list them as CA certificates");
        } else if (inSection) {
            context.noted(
                    node,
                    "chains are verified in the handshake, with the settings of the" + " server");
        } else {
            tls.depth = Integer.parseInt(text);
            context.honoured(node);
        }
    }

    private void responders(HttpdNode node, HttpdTls tls) {
        String word = node.argument(0).toLowerCase(Locale.ROOT);
        switch (word) {
            case "off" -> tls.responders = new HttpdTls.Revocation(null);
            case "leaf" -> tls.responders = new HttpdTls.Revocation(CrlCheck.LEAF);
            case "on" -> tls.responders = new HttpdTls.Revocation(CrlCheck.CHAIN);
            default -> {
                context.wrong(node, "\"" + word + "\" is not one of on, leaf, off");
                return;
            }
        }
        if (node.size() > 1) {
            context.changed(
                    node,
                    "a certificate that names no OCSP responder is refused; leave "
                            + node.argument(1)
                            + " out");
        } else {
            context.honoured(node);
        }
    }

    private void revocation(HttpdNode node, HttpdTls tls) {
        String word = node.argument(0).toLowerCase(Locale.ROOT);
        switch (word) {
            case "none" -> tls.revocation = new HttpdTls.Revocation(null);
            case "leaf" -> tls.revocation = new HttpdTls.Revocation(CrlCheck.LEAF);
            case "chain" -> tls.revocation = new HttpdTls.Revocation(CrlCheck.CHAIN);
            default -> {
                context.wrong(node, "\"" + word + "\" is not one of chain, leaf, none");
                return;
            }
        }
        if (node.size() > 1) {
            context.changed(node, "a certificate whose CA has no revocation list is refused");
        } else {
            context.honoured(node);
        }
    }

    /// A word without a sign stands for itself alone, whatever stood before it.
    private void protocols(HttpdNode node, HttpdTls tls) {
        boolean two = false;
        boolean three = false;
        for (String word : node.arguments()) {
            String name = word.replaceFirst("^[+-]", "").toLowerCase(Locale.ROOT);
            boolean off = word.startsWith("-");
            if (!VERSIONS.contains(name) || (name.equals("sslv2") && !off)) {
                context.wrong(node, "\"" + word + "\" is not a supported version of TLS");
                return;
            }
            boolean only = !off && !word.startsWith("+");
            boolean ofTwo = name.equals("all") || name.equals("tlsv1.2");
            boolean ofThree = name.equals("all") || name.equals("tlsv1.3");
            two = only ? ofTwo : ofTwo ? !off : two;
            three = only ? ofThree : ofThree ? !off : three;
        }
        List<String> protocols = new ArrayList<>();
        if (three) {
            protocols.add("TLSv1.3");
        }
        if (two) {
            protocols.add("TLSv1.2");
        }
        if (protocols.isEmpty()) {
            context.wrong(node, "leaves neither TLS 1.2 nor TLS 1.3, the only supported versions");
            return;
        }
        tls.protocols = protocols;
        context.honoured(node, "of TLS 1.2 and 1.3, those it allows");
    }
}
