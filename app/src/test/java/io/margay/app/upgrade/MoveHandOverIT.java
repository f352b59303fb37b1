package io.margay.app.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.Http;
import io.margay.app.MargayProcess;
import io.margay.app.Wars;
import io.margay.app.process.ControlSocket;
import io.margay.app.sample.CountServlet;
import io.margay.testkit.FreePort;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `margay move --then`: when all clients have the new server, another process takes over, while
/// clients open a connection for each request.
final class MoveHandOverIT {
    @TempDir Path folder;

    private long last;

    @AfterEach
    void end() {
        ProcessHandle.of(last)
                .ifPresent(process -> {
                    process.destroyForcibly();
                    process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
                });
    }

    private Path base(String name, int port) throws Exception {
        Path base = folder.resolve(name);
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps"));
        Path war = folder.resolve("ROOT.war");
        if (!Files.exists(war)) {
            Wars.with("index.html", "x").servlet(CountServlet.class, "/count").war(war);
        }
        Files.copy(war, base.resolve("webapps/ROOT.war"));
        Files.writeString(
                conf.resolve("server.xml"),
                """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="%d" address="127.0.0.1"/>
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps"/>
                    </Engine>
                  </Service>
                </Server>
                """
                        .formatted(port));
        return base;
    }

    @Test
    void processOfAnotherCommand_takesOver_withSessions_andRefusesNobody() throws Exception {
        int port = FreePort.next();
        int front = FreePort.next();
        Path base = base("new", port);
        String then = "tomcat %s --http 127.0.0.1:%d".formatted(base, front);
        try (MargayProcess old =
                MargayProcess.start(folder, "tomcat", base("old", port).toString())) {
            assertEquals(port, old.awaitReady());
            try (MargayProcess move =
                            MargayProcess.start(
                                    folder,
                                    "move",
                                    "127.0.0.1:" + front,
                                    "http://127.0.0.1:" + port,
                                    "--config=" + base,
                                    "--compare=3s",
                                    "--steps=50% for 1s",
                                    "--load=100%",
                                    "--then=" + then);
                    UpgradeLoad load = load(move, front)) {
                Path hidden = Files.move(base.resolve("conf"), folder.resolve("hidden"));
                String _ = move.awaitLine(line -> line.contains("this process serves on"));
                HttpResponse<String> first = new Http(front).response("/count");
                String set = first.headers().firstValue("Set-Cookie").orElseThrow();
                String cookie = set.substring(0, set.indexOf(';'));
                Files.move(hidden, base.resolve("conf"));
                ControlSocket.Answer answer =
                        ControlSocket.ask(folder.resolve("work/" + front), "upgrade");
                assertTrue(answer.done(), answer + "\n" + move);
                last = ProcessUpgradeIT.successor(answer.lines().getFirst());
                assertEquals(0, move.awaitEnd(), move::toString);
                load.await(200);
                assertEquals("count 2", new Http(front).withCookie("/count", cookie).body());
                assertEquals(List.of(), load.end(), move::toString);
                assertTrue(move.out().contains("moved: the new server serves"), move::toString);
            }
        }
    }

    private static UpgradeLoad load(MargayProcess move, int front) {
        assertEquals(front, move.awaitReady());
        return new UpgradeLoad(front, 2);
    }
}
