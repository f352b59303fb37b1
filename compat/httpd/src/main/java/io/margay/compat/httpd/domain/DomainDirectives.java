package io.margay.compat.httpd.domain;

import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeAuthority.Binding;
import io.margay.server.acme.AcmeCertificate.DnsCommands;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the directives of mod_md that say how certificates are ordered. Confined to one reading.
record DomainDirectives(ReadingContext context) {
    /// Those that mod_md knows by a word and we do by another.
    private static final Map<String, String> AUTHORITIES =
            Map.of(
                    "letsencrypt",
                    AcmeAuthority.DEFAULT,
                    "letsencrypt-test",
                    "letsencrypt-staging",
                    "buypass",
                    "https://api.buypass.com/acme/directory",
                    "buypass-test",
                    "https://api.test4.buypass.no/acme/directory");

    void read(HttpdNode node, DomainSettings into) {
        switch (node.key()) {
            case "mdcertificateauthority" -> authority(node, into);
            case "mdcertificateagreement" -> {
                into.agreed = true;
                context.honoured(node);
            }
            case "mdcertificateprotocol" -> word(node, "acme", "the protocol is ACME");
            case "mdcacertificatefile" -> roots(node, into);
            case "mdcontactemail" -> {
                into.email = node.argument(0).replaceFirst("^(?i)mailto:", "");
                context.honoured(node);
            }
            case "mdcachallenges" -> challenges(node, into);
            case "mdchallengedns01" -> dns(node, into);
            case "mdprivatekeys" -> keys(node, into);
            case "mdprofile" -> {
                into.profile = node.argument(0);
                context.honoured(node);
            }
            case "mdrenewmode", "mddrivemode" -> renewMode(node, into);
            case "mdrequirehttps" -> requireHttps(node);
            case "mdmuststaple" ->
                    unlessOff(
                            node,
                            "certificates do not demand it; MDStapling on staples all the same");
            case "mdstapling" -> {
                into.stapling = node.isOn();
                context.honoured(node);
            }
            case "mdexternalaccountbinding" -> binding(node, into);
            case "mdportmap" -> ports(node, into);
            case "mdcertificatefile" -> file(node, into.certificates::add);
            default -> file(node, into.keys::add);
        }
    }

    private void word(HttpdNode node, String only, String otherwise) {
        if (node.argument(0).equalsIgnoreCase(only)) {
            context.honoured(node);
        } else {
            context.changed(node, otherwise);
        }
    }

    private void unlessOff(HttpdNode node, String text) {
        if (node.argument(0).equalsIgnoreCase("off")) {
            context.honoured(node);
        } else {
            context.changed(node, text);
        }
    }

    private void authority(HttpdNode node, DomainSettings into) {
        String word = node.argument(0);
        try {
            into.directory =
                    AcmeAuthority.directory(
                            AUTHORITIES.getOrDefault(word.toLowerCase(Locale.ROOT), word));
        } catch (IllegalArgumentException e) {
            context.wrong(node, "\"" + word + "\" is neither a known authority nor an https URL");
            return;
        }
        if (node.size() > 1) {
            context.changed(node, "the first is asked alone: " + word);
        } else {
            context.honoured(node);
        }
    }

    private void roots(HttpdNode node, DomainSettings into) {
        if (node.argument(0).equalsIgnoreCase("none")) {
            context.changed(node, "the authority is asked only where its own certificate is valid");
        } else {
            file(node, path -> into.roots = path);
        }
    }

    private void challenges(HttpdNode node, DomainSettings into) {
        List<AcmeChallengeKind> kinds = new ArrayList<>();
        for (String word : node.arguments()) {
            if (!AcmeChallengeKind.words().contains(word.toLowerCase(Locale.ROOT))) {
                context.wrong(
                        node,
                        "\""
                                + word
                                + "\" is not one of "
                                + String.join(", ", AcmeChallengeKind.words()));
                return;
            }
            kinds.add(AcmeChallengeKind.of(word));
        }
        into.challenges = kinds;
        context.honoured(node);
    }

    private void dns(HttpdNode node, DomainSettings into) {
        List<String> words = new ArrayList<>(node.arguments());
        Path program = words.isEmpty() ? null : context.path(words.getFirst());
        if (program == null) {
            context.wrong(node, "names no program");
            return;
        }
        words.set(0, program.toString());
        into.dns = new DnsCommands(command("setup", words), command("teardown", words));
        context.honoured(node);
    }

    /// Has a program that mod_md calls do what ours do: after its words, what is to be done.
    private static List<String> command(String what, List<String> words) {
        String asThere = "exec \"$0\" \"$@\" " + what + " \"$MARGAY_DOMAIN\" \"$MARGAY_VALUE\"";
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", asThere));
        all.addAll(words);
        return all;
    }

    private void keys(HttpdNode node, DomainSettings into) {
        List<KeyKind> kinds = new ArrayList<>();
        List<String> words = node.arguments();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i).toLowerCase(Locale.ROOT);
            boolean hasBits = i + 1 < words.size() && words.get(i + 1).matches("[0-9]+");
            KeyKind kind =
                    switch (word) {
                        case "default" -> KeyKind.RSA2048;
                        case "rsa" -> rsa(hasBits ? words.get(++i) : "2048");
                        case "secp256r1", "p-256", "prime256v1" -> KeyKind.EC256;
                        case "secp384r1", "p-384" -> KeyKind.EC384;
                        default -> word.matches("rsa[0-9]+") ? rsa(word.substring(3)) : null;
                    };
            if (kind != null) {
                kinds.add(kind);
            }
        }
        if (kinds.isEmpty()) {
            context.changed(node, "keys are RSA2048, 3072 or 4096, secp256r1 or secp384r1");
        } else {
            into.key = kinds.getFirst();
            if (kinds.size() > 1 || words.size() > 2) {
                context.changed(node, "a certificate has one key: " + kinds.getFirst());
            } else {
                context.honoured(node);
            }
        }
    }

    private static @Nullable KeyKind rsa(String bits) {
        return switch (bits) {
            case "2048" -> KeyKind.RSA2048;
            case "3072" -> KeyKind.RSA3072;
            case "4096" -> KeyKind.RSA4096;
            default -> null;
        };
    }

    private void renewMode(HttpdNode node, DomainSettings into) {
        into.always = node.argument(0).equalsIgnoreCase("always");
        if (Set.of("auto", "always").contains(node.argument(0).toLowerCase(Locale.ROOT))) {
            context.honoured(node);
        } else {
            context.changed(node, "certificates are renewed by themselves");
        }
    }

    private void requireHttps(HttpdNode node) {
        if (node.argument(0).equalsIgnoreCase("off")) {
            context.honoured(node);
        } else {
            context.wrong(
                    node, "write Redirect permanent / https://NAME/ in the VirtualHost of port 80");
        }
    }

    /// What stands there is a secret, and so no part of a message.
    private void binding(HttpdNode node, DomainSettings into) {
        Binding binding = null;
        if (node.size() == 2 && node.argument(1).matches("[A-Za-z0-9+/_-]+={0,2}")) {
            binding = new Binding(node.argument(0), node.argument(1), null);
        } else if (node.size() != 1 || !node.argument(0).equalsIgnoreCase("none")) {
            binding = node.size() == 1 ? binding(context.path(node.argument(0))) : null;
            if (binding == null) {
                context.wrong(
                        node,
                        "write KEY-ID and the key in Base64, none, or a file with a JSON object"
                                + " that has \"kid\" and \"hmac\"");
                return;
            }
        }
        into.bound = true;
        into.binding = binding;
        context.honoured(node);
    }

    private static @Nullable Binding binding(@Nullable Path file) {
        try {
            return file == null ? null : Binding.ofJson(file);
        } catch (IOException _) {
            return null;
        }
    }

    /// Challenges are answered wherever there are listeners; what is said of ports is whether the
    /// authority reaches them.
    private void ports(HttpdNode node, DomainSettings into) {
        for (String word : node.arguments()) {
            String text = word.toLowerCase(Locale.ROOT);
            boolean closed = text.endsWith(":-");
            if (text.matches("(http|80):([0-9]+|-)")) {
                into.http = !closed;
            } else if (text.matches("(https|443):([0-9]+|-)")) {
                into.https = !closed;
            } else {
                context.wrong(node, "\"" + word + "\" is not like http:8080 or https:-");
                return;
            }
        }
        context.honoured(node);
    }

    private void file(HttpdNode node, Consumer<Path> setter) {
        Path path = context.path(node.argument(0));
        if (path == null) {
            context.wrong(node, "\"" + node.argument(0) + "\" is not a path");
        } else {
            setter.accept(path);
            context.honoured(node);
        }
    }
}
