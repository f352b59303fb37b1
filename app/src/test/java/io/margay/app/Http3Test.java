package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.TestCertificate;
import io.margay.testkit.program.Program;
import io.margay.transport.factory.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// HTTP/3 is refused where the OpenSSL of the machine is too old for it, and is taken where it is
/// not; `make http3` has it asked.
final class Http3Test {
    private static final String NEEDED = "HTTP/3 needs OpenSSL 3.5 or newer";

    @TempDir Path folder;

    @Test
    void anOlderOpenSsl_isRefused_sayingWhatIsNeeded() throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners:
                          - https: 127.0.0.1:0
                            certificates: [{cert: %s, key: %s}]
                            http3: true
                        hosts: [{routes: {"/*": {files: .}}}]
                        work: work
                        """
                                .formatted(certificate.cert(), certificate.key()));
        boolean old = Transports.datagramProblem() != null;
        try (MargayProcess margay = MargayProcess.start(folder, "check", file.toString())) {
            assertEquals(old ? 1 : 0, margay.awaitExit(), margay::toString);
            assertEquals(old, margay.toString().contains(NEEDED), margay::toString);
        }
        try (MargayProcess margay = MargayProcess.start(folder, "run", file.toString())) {
            if (old) {
                String line = margay.awaitLine(one -> one.contains("cannot be opened"));
                assertTrue(line.contains(NEEDED), line);
                assertEquals(1, margay.awaitExit(), margay::toString);
            } else {
                assertTrue(margay.awaitReady() > 0);
            }
        }
    }

    /// A server that does not speak HTTP/3 pays nothing for it.
    @Test
    void serverWithoutHttp3_loadsNothingOfIt() throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners:
                          - https: 127.0.0.1:0
                            certificates: [{cert: %s, key: %s}]
                        hosts: [{routes: {"/*": {files: .}}}]
                        work: work
                        """
                                .formatted(certificate.cert(), certificate.key()));
        Path log = folder.resolve("classes.txt");
        List<String> options = List.of("-Xlog:class+load=info:file=" + log);
        try (MargayProcess margay =
                MargayProcess.startWith(folder, options, "run", file.toString())) {
            int port = margay.awaitReady();
            Process curl =
                    new ProcessBuilder(
                                    Program.of("curl"),
                                    "-skf",
                                    "https://127.0.0.1:" + port + "/margay.yaml")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            assertEquals(0, curl.waitFor(), margay::toString);
            String loaded = Files.readString(log);
            assertTrue(loaded.contains("io.margay.server.http2."), "HTTP/2 was spoken");
            Pattern ours = Pattern.compile("io\\.margay\\.\\S*(?i:quic(?!k)|http3|datagram)\\S*");
            List<String> of = ours.matcher(loaded).results().map(MatchResult::group).toList();
            // The verifier loads types that TLS and the hand-over of sockets mention.
            List<String> mentioned =
                    List.of(
                            "io.margay.transport.quic.QuicHandshake",
                            "io.margay.transport.handover.DatagramSockets");
            of = of.stream().filter(name -> !mentioned.contains(name)).toList();
            assertEquals(List.of(), of);
        }
    }
}
