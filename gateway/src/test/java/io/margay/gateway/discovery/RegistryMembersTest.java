package io.margay.gateway.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Members that have registered in an engine which says what the test has it say, by a clock that
/// is set by hand.
final class RegistryMembersTest {
    private static final String TOKEN = "a-token-of-registrars";

    @TempDir Path folder;
    private final Map<String, String> lines = new HashMap<>();
    private @Nullable String failure;
    private long nanos = 1_000_000_000_000L;
    private RegistryMembers members;

    @BeforeEach
    void open() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), TOKEN);
        MemberSource.Registry place =
                new MemberSource.Registry("redis://h", "shop", token, List.of("10.0.0.0/8"));
        MemberSource source =
                new MemberSource(
                        place,
                        PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80)),
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ofSeconds(30));
        members =
                new RegistryMembers(
                        source, place, new Scripted(), DiscoveryLimits.defaults(), () -> nanos);
    }

    private final class Scripted implements MemberRegistry {
        @Override
        public void put(String upstream, String name, String line, Duration lease) {
            lines.put(name, line);
        }

        @Override
        public void remove(String upstream, String name) {
            lines.remove(name);
        }

        @Override
        public Map<String, String> read(String upstream) throws IOException {
            if (failure != null) {
                throw new IOException(failure);
            }
            return Map.copyOf(lines);
        }

        @Override
        public void close() {}
    }

    private void put(String name, String line) {
        lines.put(name, SignedLine.of(TOKEN, "shop", name, line));
    }

    private String look() {
        return switch (members.find()) {
            case Finding.Members found ->
                    found.members().stream()
                            .map(each -> each.name() + "=" + each.share().activation())
                            .collect(Collectors.joining(" "))
                            .replace("=ACTIVE", "");
            case Finding.Same _ -> "same";
            case Finding.None none -> "none: " + none.why();
            case Finding.Failed failed -> "failed: " + failed.why();
        };
    }

    @Test
    void lines_areMembers_withTheirOptions() {
        put("a", "http://10.0.0.1:80 route=r weight=2");
        put("b", "ajp://10.0.0.2:8009 activation=disabled");
        assertEquals("a b=DISABLED", look());
        Finding.Members found = (Finding.Members) members.find();
        assertEquals("r", found.members().getFirst().share().route());
        assertEquals("b", found.members().getLast().share().route());
        lines.remove("a");
        assertEquals("b=DISABLED", look());
    }

    @Test
    void lines_thatAreNotSigned_orNotAllowed_areLeftOut() {
        put("a", "http://10.0.0.1:80");
        lines.put("b", "http://10.0.0.2:80");
        lines.put("c", "00".repeat(32) + " http://10.0.0.3:80");
        lines.put("d", lines.get("a"));
        lines.put("e", SignedLine.of("another-token-of-others", "shop", "e", "http://10.0.0.5"));
        lines.put("f", SignedLine.of(TOKEN, "other", "f", "http://10.0.0.6"));
        lines.put("g", lines.get("a").replace("10.0.0.1", "10.0.0.7"));
        put("h", "http://192.168.0.1");
        put("i", "http://name.internal");
        put("j", "gibberish");
        put("k", "http://10.0.0.1 weight=-1");
        assertEquals("a", look());
    }

    @Test
    void engineThatIsAway_isAFailure_andItsMembersComeBackTogether() {
        put("a", "http://10.0.0.1");
        put("b", "http://10.0.0.2");
        assertEquals("a b", look());
        nanos += Duration.ofMinutes(1).toNanos();
        failure = "away";
        assertEquals("failed: away", look());
        failure = null;
        lines.clear();
        assertEquals("none: no member is registered", look());
        put("b", "http://10.0.0.2 activation=disabled"); // The first to renew its lease.
        assertEquals("a b=DISABLED", look());
        put("c", "http://10.0.0.3");
        assertEquals("a b=DISABLED c", look());
        lines.remove("c");
        nanos += Duration.ofSeconds(29).toNanos();
        assertEquals("a b=DISABLED", look());
        nanos += Duration.ofSeconds(1).toNanos();
        assertEquals("b=DISABLED", look());
    }

    @Test
    void tooManyMembers_areNotBelieved() {
        for (int i = 0; i < 1_025; i++) {
            put("m" + i, "http://10.0.0.1");
        }
        assertEquals("failed: it names more than 1024 members", look());
    }

    @Test
    void withoutToken_nobodyIsBelieved() throws IOException {
        put("a", "http://10.0.0.1");
        Files.delete(folder.resolve("token"));
        assertEquals(
                "failed: the token file " + folder.resolve("token") + " does not exist", look());
    }
}
