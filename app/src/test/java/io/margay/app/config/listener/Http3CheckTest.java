package io.margay.app.config.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.ListenerSettings;
import io.margay.app.config.file.ConfigFile;
import io.margay.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `check` says of listeners with HTTP/3.
final class Http3CheckTest {
    @TempDir Path folder;

    private TestCertificate certificate;

    @BeforeEach
    void makeCertificate() {
        certificate = TestCertificate.in(folder);
    }

    private List<ListenerSettings> listeners(String keys) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners:
                          - https: 0.0.0.0:8443
                            certificates: [{cert: %s, key: %s}]
                            http3: true
                            %s
                        hosts: [{routes: {}}]
                        """
                                .formatted(certificate.cert(), certificate.key(), keys));
        return ConfigFile.read(file, Map.of()).get().listeners();
    }

    private void says(String keys, String part) throws IOException {
        List<String> errors = Http3Check.errors(folder, listeners(keys), null);
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.getFirst().contains(part), errors::toString);
    }

    @Test
    void whatHttp3Cannot_isAnError() throws IOException {
        assertEquals(List.of(), Http3Check.errors(folder, listeners(""), null));
        assertEquals(1, Http3Check.errors(folder, listeners(""), "it needs more").size());
        says("protocols: [TLSv1.2]", "TLS 1.3");
        says(
                "client-certificate: need\n    trust: "
                        + certificate.cert()
                        + "\n    ocsp-check: hard",
                "ocsp-check");
    }

    @Test
    void wildcard_isTold_whereTheMachineHasSeveralAddresses() throws IOException {
        assertEquals(List.of(), Http3Check.notes(folder, listeners(""), 1));
        List<String> told = Http3Check.notes(folder, listeners(""), 3);
        assertEquals(1, told.size(), told::toString);
        assertTrue(told.getFirst().contains("one of the 3 addresses"), told::toString);
    }
}
