package io.margay.app.acme;

import io.margay.app.process.ControlSocket.Answer;
import io.margay.server.acme.AcmeReading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What the command `acme` is answered by a server that runs. Stateless.
public final class AcmeAnswers {
    private AcmeAnswers() {}

    /// @param words what stands behind `acme`
    public static Answer of(OwnCertificates own, String words) {
        String[] parts = words.strip().split(" ", 2);
        String name = parts.length > 1 ? parts[1] : "";
        return switch (parts[0]) {
            case "status" -> status(own.read());
            case "renew" ->
                    own.renew(name.replace("*", "_"))
                            ? new Answer(
                                    true,
                                    List.of(name + " is being renewed; see margay acme status"))
                            : new Answer(
                                    false,
                                    List.of(
                                            "the server has no certificate of its own for "
                                                    + name));
            case "change-keys" ->
                    own.changeKeys()
                            ? new Answer(true, List.of("account keys are being replaced"))
                            : new Answer(false, List.of("the server has no account"));
            default -> new Answer(false, List.of("there is no such command: acme " + words));
        };
    }

    private static Answer status(List<AcmeReading> readings) {
        List<String> lines = new ArrayList<>();
        for (AcmeReading one :
                readings.stream().sorted(Comparator.comparing(AcmeReading::name)).toList()) {
            lines.add(one.name() + ": " + (one.issued() ? validity(one.file()) : "self-signed"));
            lines.add("  " + (one.failures() > 0 ? "tried again " : "renewed ") + one.next());
            if (one.failure() != null) {
                lines.add("  failed " + one.failures() + " times: " + one.failure());
            }
        }
        return new Answer(true, lines.isEmpty() ? List.of("no certificates are ordered") : lines);
    }

    private static String validity(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate found =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in);
            return "from "
                    + found.getNotBefore().toInstant()
                    + " until "
                    + found.getNotAfter().toInstant();
        } catch (IOException | CertificateException e) {
            return "cannot be read: " + e.getMessage();
        }
    }
}
