package io.margay.gateway.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MemberFileTest {
    @TempDir Path folder;
    private Path path;
    private MemberFile file;

    @BeforeEach
    void make() {
        path = folder.resolve("members.txt");
        file = file(true);
    }

    private MemberFile file(boolean byRoute) {
        PeerConfig pattern = PeerConfig.of("-", PeerAddress.of(PeerScheme.HTTP, "localhost", 80));
        MemberSource.MemberFile place = new MemberSource.MemberFile(path, byRoute);
        return new MemberFile(
                new MemberSource(
                        place,
                        pattern.withPool(
                                new PeerConfig.Pool(
                                        7, 0, Duration.ZERO, Duration.ZERO, true, Duration.ZERO)),
                        Duration.ofSeconds(1),
                        Duration.ZERO,
                        Duration.ZERO),
                place,
                DiscoveryLimits.defaults());
    }

    private void replace(String content) throws IOException {
        Path part = Files.writeString(folder.resolve("part"), content);
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
    }

    private List<PeerConfig> members() {
        return assertInstanceOf(Finding.Members.class, file.find()).members();
    }

    private String failure() {
        return assertInstanceOf(Finding.Failed.class, file.find()).why();
    }

    @Test
    void lines_areUrlsWithOptions() {
        List<PeerConfig> members =
                file.parse(
                        """
                        # The shop

                        http://10.0.0.5:8080 route=a
                          ajp://10.0.0.6/app name=b weight=2.5 activation=disabled busy-max=9
                        http://[::1]:81
                        """);
        assertEquals("a", members.getFirst().name());
        assertEquals("a", members.getFirst().share().route());
        assertEquals(7, members.getFirst().pool().max());
        PeerConfig b = members.get(1);
        assertEquals("b ajp://10.0.0.6:8009 /app", b.name() + " " + b.address() + " " + b.path());
        assertEquals(2.5, b.share().weight());
        assertEquals(9, b.share().busyMax());
        assertEquals("b", b.share().route());
        assertEquals(Activation.DISABLED, b.share().activation());
        assertEquals("http://[::1]:81", members.get(2).name());
    }

    @Test
    void members_ofModProxysDialect_areCalledByTheirUrls() {
        assertEquals("http://a:80", file(false).parse("http://a route=r").getFirst().name());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.5:8080 | line 1",
                "http:// | line 1",
                "http://a heavy | is not an option",
                "http://a colour=red | is not an option",
                "http://a weight=0 | weight must be",
                "http://a weight=-1 | weight must be",
                "http://a weight=NaN | weight must be",
                "http://a route=a route=b | given twice",
                "http://a activation=on | activation must be",
                "http://a distance=+5 | distance must be",
                "http://a spare=yes | spare must be",
                "http://a~http://a | line 2: two members are called http://a:80",
                "http://a route=x~http://b route=x | two members",
                "# nobody | names no member",
                "'' | names no member",
            })
    void content_thatIsBroken_isRefusedByLine(String content, String why) {
        IllegalArgumentException refusal =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> file.parse(content.replace('~', '\n')));
        String message = String.valueOf(refusal.getMessage());
        assertEquals(why, message.contains(why) ? why : message);
    }

    @Test
    void file_thatIsReplaced_isReadAgain_andNotOtherwise() throws Exception {
        replace("http://a");
        assertEquals("http://a:80", members().getFirst().name());
        assertInstanceOf(Finding.Same.class, file.find());
        FileTime time = Files.getLastModifiedTime(path);
        replace("http://b");
        Files.setLastModifiedTime(path, time); // Same time, same length: another file all the same.
        assertEquals("http://b:80", members().getFirst().name());
    }

    @Test
    void file_thatIsMissingOrBroken_isAFailure_untilItIsWhole() throws Exception {
        assertEquals("does not exist", failure());
        replace("http://a");
        assertEquals(1, members().size());
        replace("nonsense");
        assertEquals("line 1", failure().substring(0, 6));
        Files.write(path, new byte[] {(byte) 0xff, (byte) 0xfe});
        assertEquals("is not UTF-8 text", failure());
        Files.write(path, new byte[DiscoveryLimits.defaults().fileBytesMax() + 1]);
        assertEquals("is longer than 1048576 bytes", failure());
        Files.delete(path);
        assertEquals("does not exist", failure());
        replace("http://a\nhttp://b");
        assertEquals(2, members().size());
    }

    @Test
    void line_thatIsTooLong_isRefused() {
        String line = "http://a route=" + "x".repeat(1_000);
        assertThrows(IllegalArgumentException.class, () -> file.parse(line));
    }
}
