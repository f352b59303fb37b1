package io.margay.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.UpstreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
    @TempDir Path folder;

    private static Upstream upstream() {
        return new Upstream(
                UpstreamConfig.of(
                        "lb",
                        List.of(StatusServer.peer("http://a:80", 1), StatusServer.peer("b", 2))));
    }

    @Test
    void changes_holdAfterARestart() throws IOException {
        StateFile file = new StateFile(folder.resolve("state"));
        Upstream before = upstream();
        Peer a = before.peers().getFirst();
        a.configure(
                a.config()
                        .withShare(
                                a.config()
                                        .share()
                                        .withActivation(Activation.DISABLED)
                                        .withWeight(2.5)
                                        .withRoutes("r = 1", "", "x")));
        before.configure(
                before.config()
                        .withMethod(BalanceMethod.BUSYNESS)
                        .withTolerance(3, Duration.ofSeconds(7), 2));
        file.save(List.of(before));
        Upstream after = upstream();
        file.load(List.of(after));
        assertEquals(before.config(), after.config());
        assertEquals(a.config(), after.peers().getFirst().config());
        assertEquals(upstream().peers().get(1).config(), after.peers().get(1).config());
    }

    @Test
    void member_thatWasAdded_isThereAfterARestart() throws IOException {
        StateFile file = new StateFile(folder.resolve("state"));
        Upstream before = upstream();
        Peer made = before.add(StateValues.added(before, "ajp://10.0.0.9:8009"));
        made.activation(Activation.ACTIVE);
        before.configure(before.config().withRounds(2, Duration.ofSeconds(3)));
        file.save(List.of(before));
        Upstream after = upstream();
        file.load(List.of(after));
        assertEquals(before.config(), after.config());
        assertEquals(made.config(), after.peers().get(2).config());
    }

    @Test
    void file_holdsOnlyWhatDiffers() throws IOException {
        Path path = folder.resolve("state");
        Upstream upstream = upstream();
        upstream.peers().get(1).activation(Activation.STOPPED);
        new StateFile(path).save(List.of(upstream));
        assertEquals(
                List.of("lb/b.activation = STOPPED"),
                Files.readAllLines(path).stream().filter(l -> !l.startsWith("#")).toList());
    }

    @Test
    void file_thatMakesNoSense_changesNothing() throws IOException {
        Path path = folder.resolve("state");
        Files.writeString(path, "lb.method = SIDEWAYS\nlb/b.activation = STOPPED\n");
        Upstream upstream = upstream();
        new StateFile(path).load(List.of(upstream));
        assertEquals(upstream.configured(), upstream.config());
    }

    @Test
    void file_thatIsMissing_isNone() {
        Upstream upstream = upstream();
        Path path = folder.resolve("none");
        new StateFile(path).load(List.of(upstream));
        assertEquals(upstream.configured(), upstream.config());
        assertFalse(Files.exists(path));
        assertTrue(upstream.peers().getFirst().healthy());
    }
}
