package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.admin.ManagedServer.Leak;
import io.margay.app.config.TransportChoice;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.LeavingServlet;
import io.margay.app.sample.LeftDriver;
import io.margay.testkit.Eventually;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an application leaves behind in the JVM is named, and what can be is taken away.
@Tag("slow")
final class LeakTest {
    private static final AppName APP = new AppName(List.of(), "/left", "");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir Path folder;

    @Test
    void undeployment_ofAnApplicationThatLeavesThings_namesThem() throws Exception {
        Path war =
                Wars.with("v.txt", "one")
                        .servlet(LeavingServlet.class, "/leave")
                        .type(LeftDriver.class)
                        .war(folder.resolve("webapps/left.war"));
        try (MargayServer server =
                Margay.builder()
                        .http(0)
                        .transport(TransportChoice.NIO)
                        .work(folder.resolve("work"))
                        .webapps(war.getParent())
                        .drain(Duration.ofSeconds(10))
                        .start()) {
            Http http = new Http(server.ports().getFirst());
            assertEquals("left", http.get("/left/leave"));
            Class<?> servlet =
                    server.site()
                            .app(APP)
                            .deployment()
                            .classLoader()
                            .loadClass(LeavingServlet.class.getName());
            Undeployment.remove(server, APP, ChangeCause.PROGRAM);
            Eventually.holds("undeployed", PATIENCE, () -> !server.findLeaks().isEmpty());
            List<Leak> leaks = server.findLeaks();
            assertEquals("/left", leaks.getFirst().app().path());
            String left = String.join("\n", leaks.getFirst().left());
            assertTrue(left.contains("timer \"left timer\" (WAITING"), left);
            assertTrue(left.contains("thread \"left thread\" (WAITING"), left);
            assertTrue(left.contains(", in " + servlet.getName() + ".await"), left);
            assertTrue(left.contains("JDBC driver " + LeftDriver.class.getName()), left);
            assertTrue(left.contains("shutdown hook \"left hook\""), left);
            assertTrue(
                    left.contains(
                            "thread-local of " + servlet.getName() + " in thread \"margay-worker"),
                    left);

            servlet.getMethod("end").invoke(null);
            servlet = null;
            Eventually.holds("collected", PATIENCE, () -> server.findLeaks().isEmpty());
        }
    }

    @Test
    void redeployment_ofATidyApplication_leavesNothingInMemory() throws Exception {
        Path war =
                Wars.with("v.txt", "one")
                        .and("page.jsp", "<%= 1 + 1 %>")
                        .servlet(CountServlet.class, "/count")
                        .war(folder.resolve("webapps/left.war"));
        for (TransportChoice transport : TransportChoice.values()) {
            try (MargayServer server =
                    Margay.builder()
                            .http(0)
                            .transport(transport)
                            .work(folder.resolve("work"))
                            .webapps(war.getParent())
                            .drain(Duration.ofSeconds(10))
                            .start()) {
                Http http = new Http(server.ports().getFirst());
                assertEquals("count 1", http.get("/left/count"));
                assertEquals("2", http.get("/left/page.jsp"));
                WeakReference<ClassLoader> before = classLoader(server);
                assertEquals(List.of(), server.change(Set.of(APP), ChangeCause.PROGRAM));
                Eventually.holds(
                        "collected on " + transport,
                        PATIENCE,
                        () -> server.findLeaks().isEmpty() && before.refersTo(null));
            }
        }
    }

    private static WeakReference<ClassLoader> classLoader(MargayServer server) {
        return new WeakReference<>(server.site().app(APP).deployment().classLoader());
    }
}
