package io.margay.protocol.quic.connection;

import static io.margay.protocol.quic.connection.SimulatedNetwork.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.quic.connection.SimulatedNetwork.Profile;
import io.margay.protocol.quic.recovery.Congestion.Algorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Transfers over networks of all kinds, in virtual time.
@Tag("slow")
final class SimulationTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final long MEGABIT = 125_000;

    static List<Profile> profiles() {
        return List.of(
                new Profile("ideal", 10 * MS, 0, 0, 0, 0, 0),
                new Profile("1 % lost", 20 * MS, 0, 1, 0, 0, 0),
                new Profile("5 % lost", 20 * MS, 0, 5, 0, 0, 0),
                new Profile("20 % lost", 20 * MS, 0, 20, 0, 0, 0),
                new Profile("100 ms", 50 * MS, 0, 0, 0, 0, 0),
                new Profile("overtaking", 20 * MS, 30 * MS, 0, 0, 0, 0),
                new Profile("10 % repeated", 20 * MS, 0, 0, 10, 0, 0),
                new Profile("10 Mbit/s", 20 * MS, 0, 0, 0, 10 * MEGABIT, 50_000),
                new Profile("1 Mbit/s, short queue", 20 * MS, 0, 0, 0, MEGABIT, 5_000),
                new Profile("all at once", 30 * MS, 20 * MS, 3, 3, 10 * MEGABIT, 50_000));
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void mebibyte_isCarriedThereAndBack(Profile profile) {
        Simulation sim = new Simulation(profile, 7);
        sim.transfer(1, MEBIBYTE, 600);
        assertNull(sim.client.error());
        assertNull(sim.server.error());
        if (profile.rate() == 0 && profile.lossPercent() == 0 && profile.jitter() == 0) {
            long octets = sim.sentByClient + sim.sentByServer;
            assertTrue(octets < 2.2 * MEBIBYTE, octets + " octets: sent again without need");
        }
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void hundredStreams_areCarriedThereAndBack(Profile profile) {
        Simulation sim = new Simulation(profile, 8);
        sim.transfer(100, 10_000, 600);
        assertNull(sim.client.error());
        assertNull(sim.server.error());
        sim.run(() -> false, 1);
        assertEquals(0, sim.client.streams().count());
        assertEquals(0, sim.server.streams().count());
    }

    @Test
    void handshakes_withMuchLoss_completeForEachSeed() {
        for (int seed = 0; seed < 100; seed++) {
            Simulation sim =
                    new Simulation(new Profile("bad", 30 * MS, 20 * MS, 25, 5, 0, 0), seed);
            sim.transfer(1, 1_000, 300);
            assertNull(sim.client.error(), "seed " + seed);
        }
    }

    /// The table of docs/measurements/protocols.md, of which the row of 50 ms and 1 % is made anew
    /// here. `-Dmargay.update=true` writes it whole.
    @Test
    void curves_areThoseThatArePublished() throws IOException {
        Path page =
                Path.of(System.getProperty("margay.root", ".."), "docs/measurements/protocols.md");
        String text = Files.readString(page);
        String begin = "<!-- curves -->\n";
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf("<!-- end -->");
        if (Boolean.getBoolean("margay.update")) {
            String table =
                    "| round trip | loss | NewReno Mbit/s | CUBIC Mbit/s |\n|---|---|---|---|\n"
                            + rows(10, 0, 1, 2, 5)
                            + rows(50, 0, 1, 2, 5)
                            + rows(200, 0, 1, 2, 5);
            Files.writeString(page, text.substring(0, from) + table + text.substring(to));
        } else {
            String rows = rows(50, 1);
            assertTrue(text.substring(from, to).contains("\n" + rows), rows);
        }
    }

    private static String rows(int rtt, int... losses) {
        StringBuilder rows = new StringBuilder();
        for (int loss : losses) {
            rows.append(String.format(Locale.ROOT, "| %d ms | %d %% |", rtt, loss));
            for (Algorithm algorithm : Algorithm.values()) {
                rows.append(String.format(Locale.ROOT, " %.1f |", megabits(rtt, loss, algorithm)));
            }
            rows.append('\n');
        }
        return rows.toString();
    }

    /// The mean rate of two mebibytes there and back, over three seeds.
    private static double megabits(int rtt, int loss, Algorithm algorithm) {
        double sum = 0;
        for (int seed = 1; seed <= 3; seed++) {
            Profile profile =
                    new Profile(
                            "curve",
                            rtt * MS / 2,
                            0,
                            loss,
                            0,
                            20 * MEGABIT,
                            20 * MEGABIT * rtt / 1_000 + 15_000);
            Simulation sim =
                    new Simulation(profile, seed, Simulation.options(algorithm), 0x1301, 2_500);
            sim.handshake();
            long nanos = sim.transfer(1, 2 * MEBIBYTE, 1_000);
            sum += 2 * MEBIBYTE * 8 * 1_000.0 / nanos;
        }
        return sum / 3;
    }
}
