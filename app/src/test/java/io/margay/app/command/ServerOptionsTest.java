package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.UsageException;
import io.margay.app.config.AdminSettings;
import io.margay.app.config.Endpoint;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ServerOptionsTest {
    private static final List<Command> SERVING =
            List.of(RunCommand.COMMAND, GatewayCommand.COMMAND, TomcatCommand.COMMAND);

    private static ServerOptions options(Command command, String... words) throws UsageException {
        return new ServerOptions(Arguments.parse(command, List.of(words)), Map.of(), false);
    }

    @Test
    void commandsThatServe_haveThemAll() {
        for (Command command : SERVING) {
            assertTrue(command.options().containsAll(ServerOptions.after()), command.name());
        }
    }

    @Test
    void times_ofTheCommandLine_takeThePlaceOfTheFiles() throws UsageException {
        MargayConfig file = MargayConfig.defaults().withDrain(Duration.ofSeconds(7));
        for (Command command : SERVING) {
            assertEquals(Duration.ofSeconds(7), options(command).apply(file).drain());
            MargayConfig said =
                    options(command, "--drain", "3s", "--drain-delay", "500ms").apply(file);
            assertEquals(Duration.ofSeconds(3), said.drain());
            assertEquals(Duration.ofMillis(500), said.drainDelay());
        }
    }

    @Test
    void adminListener_ofTheCommandLine_keepsTheRestOfTheFile() throws UsageException {
        MargayConfig none = MargayConfig.defaults();
        String token = "a token of the file";
        MargayConfig file =
                none.withAdmin(
                        new AdminSettings(
                                Endpoint.parse("1"), token, Set.of("console.example"), null));
        for (Command command : SERVING) {
            AdminSettings alone = admin(options(command, "--admin", "9990").apply(none));
            assertEquals(new AdminSettings(Endpoint.parse("9990"), null), alone);
            AdminSettings both = admin(options(command, "--admin", "9990").apply(file));
            assertEquals(9990, both.endpoint().port());
            assertEquals(token, both.token());
            assertEquals(Set.of("console.example"), both.names());
            assertEquals(1, admin(options(command).apply(file)).endpoint().port());
        }
    }

    @Test
    void adminToken_ofTheEnvironment_countsWhereTheFileHasNone() throws UsageException {
        Arguments none = Arguments.parse(GatewayCommand.COMMAND, List.of("x.conf"));
        String token = "a token of the environment";
        Map<String, String> said = Map.of("MARGAY_ADMIN_TOKEN", token);
        MargayConfig open =
                MargayConfig.defaults().withAdmin(new AdminSettings(Endpoint.parse("9990"), null));
        MargayConfig own =
                open.withAdmin(new AdminSettings(Endpoint.parse("9990"), "a token of the file"));
        ServerOptions options = new ServerOptions(none, said, false);
        assertEquals(token, admin(options.apply(open)).token());
        assertEquals("a token of the file", admin(options.apply(own)).token());
        ServerOptions weak = new ServerOptions(none, Map.of("MARGAY_ADMIN_TOKEN", "short"), false);
        StartException e = assertThrows(StartException.class, () -> weak.apply(open));
        assertTrue(String.valueOf(e.getMessage()).contains("MARGAY_ADMIN_TOKEN: "), e::getMessage);
    }

    private static AdminSettings admin(MargayConfig config) {
        return Objects.requireNonNull(config.admin());
    }

    @Test
    void wrongValue_isRefusedWithWhatWouldBeRight() {
        assertRefused(
                "--drain-delay \"5\" is not valid: write a number and its unit, as in 500ms, 30s"
                        + " or 5m",
                "--drain-delay",
                "5");
        assertRefused("there is no log level loud", "--log", "loud");
        assertRefused("there is no log format xml; it is one of text, json", "--log-format", "xml");
    }

    @Test
    void startThatFails_isLoggedAsTheServerWouldLog() {
        Map<String, String> json = Map.of("MARGAY_LOG_FORMAT", "json");
        assertTrue(ServerOptions.logsJson(List.of("run", "--log-format", "json"), Map.of()));
        assertTrue(ServerOptions.logsJson(List.of("gateway", "--log-format=json"), Map.of()));
        assertTrue(ServerOptions.logsJson(List.of("tomcat", "nowhere"), json));
        assertFalse(ServerOptions.logsJson(List.of("run", "--log-format", "text"), json));
        assertFalse(ServerOptions.logsJson(List.of("check", "x"), json));
        assertFalse(ServerOptions.logsJson(List.of(), json));
    }

    private static void assertRefused(String message, String... words) {
        for (Command command : SERVING) {
            UsageException e = assertThrows(UsageException.class, () -> options(command, words));
            assertTrue(String.valueOf(e.getMessage()).startsWith(message), e::getMessage);
        }
    }
}
