package io.margay.compat.tomcat.javax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.application.AppServer;
import io.margay.testkit.Archives;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `margay convert` writes.
final class WarConversionTest {
    @TempDir Path temp;

    @Test
    void convertedWar_isServedAsItIs() throws Exception {
        byte[] library = Files.readAllBytes(OldApplication.library(temp));
        Path war =
                OldApplication.files(temp, 3)
                        .bytes("WEB-INF/lib/library.jar", library)
                        .to(temp.resolve("old.war"));
        byte[] before = Files.readAllBytes(war);
        Path converted = temp.resolve("new.war");
        List<String> progress = new ArrayList<>();
        String account =
                new WarConversion(() -> 0, (done, total, _) -> progress.add(done + "/" + total))
                        .convert(war, converted);
        assertArrayEquals(before, Files.readAllBytes(war));
        assertTrue(
                account != null && account.contains("1 libraries converted, 0 found converted"),
                account);
        assertEquals("1/" + progress.size(), progress.getFirst());
        assertEquals(progress.size() + "/" + progress.size(), progress.getLast());
        try (AppServer server =
                AppServer.start(
                        converted, "/app", temp.resolve("work"), UnaryOperator.identity())) {
            assertNull(server.deployment().conversion());
            assertEquals(
                    "hello b GET c",
                    server.get("/page.jsp").body().strip().replaceAll("\\s+", " "));
            assertEquals("true from the descriptor", server.get("/old").body());
            assertEquals("[class lib.Annotated] /app/found", server.get("/found").body());
        }
    }

    @Test
    void warWithoutJavax_isNotWritten() throws Exception {
        Path war =
                Archives.in(temp).text("index.html", "about javax.servlet.").to(temp.resolve("w"));
        Path converted = temp.resolve("new.war");
        assertNull(new WarConversion(() -> 0, (_, _, _) -> {}).convert(war, converted));
        try (Stream<Path> files = Files.list(temp)) {
            assertEquals(List.of("w"), files.map(file -> file.getFileName().toString()).toList());
        }
    }
}
