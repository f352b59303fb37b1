package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.docs.GuideConfigurations;
import io.margay.app.docs.GuideConfigurations.Guided;
import io.margay.transport.factory.Transports;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The configurations of the guide, in a folder with nothing but the files that they name: what
/// `check` finds right starts.
@Tag("slow")
final class GuideConfigurationsTest {
    @TempDir Path folder;

    static List<Guided> configurations() throws Exception {
        return GuideConfigurations.all();
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void configuration_thatCheckFindsRight_starts(Guided guided) throws Exception {
        Path file = guided.write(folder);
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Main main =
                new Main(
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        guided.variables());
        int code = main.run(List.of("check", file.toString()));
        String said = err.toString(StandardCharsets.UTF_8);
        boolean wantsHttp3 = Files.readString(file).contains("http3: true");
        if (wantsHttp3 && Transports.datagramProblem() != null) {
            assertTrue(said.contains("HTTP/3 needs OpenSSL 3.5"), said);
            return;
        }
        assertEquals(ExitCode.DONE, code, said);
        MargayConfig config = ConfigFile.read(file, guided.variables()).config();
        assertTrue(config != null);
        if (!guided.asksOthers()) {
            MargayServer.start(config, DeployProgress.NONE).close();
        }
    }
}
