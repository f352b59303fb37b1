package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DeployerTest {
    private static final String SERVLET =
            """
            package p;
            import jakarta.servlet.annotation.*;
            import jakarta.servlet.http.*;
            @WebServlet(urlPatterns = "/hello", initParams = @WebInitParam(name = "a", value = "1"))
            public class Hello extends HttpServlet {
                @jakarta.annotation.PostConstruct void born() { who = "born "; }
                @jakarta.annotation.PreDestroy void dies() {
                    getServletContext().log("");
                    System.setProperty("margay.test.died", "yes");
                }
                private String who = "unborn ";
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws java.io.IOException {
                    r.getWriter().print(who + getInitParameter("a") + q.getContextPath());
                }
            }
            """;

    @TempDir Path temp;

    private Deployer deployer() {
        return new Deployer(DeploySettings.in(temp.resolve("work")));
    }

    private Archives hello() {
        return Archives.in(temp).classes("WEB-INF/classes/", List.of(), "p.Hello", SERVLET);
    }

    @Test
    void workFolder_isForItsOwnerAlone_alsoWhatWasThereBefore() throws Exception {
        Path work = temp.resolve("work");
        Path open = Files.createDirectories(work.resolve("unpacked"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        Deployment deployment = deployer().deploy(hello().to(temp.resolve("hello.war")), "/hello");
        try (Stream<Path> folders = Files.list(work)) {
            List<String> others =
                    folders.filter(folder -> !isOwnersAlone(folder)).map(Path::toString).toList();
            assertEquals(List.of(), others);
        } finally {
            deployment.undeploy();
        }
    }

    private static boolean isOwnersAlone(Path path) {
        try {
            String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
            return permissions.endsWith("------");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String failure(Archives app) {
        Path folder = app.toFolder(temp.resolve("bad"));
        String message =
                assertThrows(DeploymentException.class, () -> deployer().deploy(folder, "/bad"))
                        .getMessage();
        assertTrue(message.startsWith(folder.toString()), message);
        return message;
    }

    @Test
    void war_withAnnotatedServlet_answersAndLivesItsLife() {
        System.clearProperty("margay.test.died");
        Path war = hello().text("index.html", "home").to(temp.resolve("shop.war"));
        try (AppServer server = AppServer.start(war, "/shop", temp.resolve("work"))) {
            assertEquals("born 1/shop", server.get("/hello").body());
            assertEquals("home", server.get("/").body());
            assertEquals(404, server.get("/WEB-INF/classes/p/Hello.class").statusCode());
            assertNull(System.getProperty("margay.test.died"));
        }
        assertEquals("yes", System.getProperty("margay.test.died"));
    }

    @Test
    void root_isServedAtSlash() {
        Path war = hello().to(temp.resolve("ROOT.war"));
        try (AppServer server = AppServer.start(war, "", temp.resolve("work"))) {
            assertEquals("born 1", server.get("/hello").body());
        }
    }

    @Test
    void encoding_notDeclared_isUtf8UnlessSetOtherwise() {
        Path war = hello().to(temp.resolve("shop.war"));
        try (AppServer server = AppServer.start(war, "/s", temp.resolve("work"))) {
            assertEquals(
                    "UTF-8", server.deployment().webApp().context().getResponseCharacterEncoding());
        }
        try (AppServer server =
                AppServer.start(war, "/s", temp.resolve("work"), s -> s.withEncoding(null))) {
            assertNull(server.deployment().webApp().context().getResponseCharacterEncoding());
        }
    }

    @Test
    void descriptor_wrong_namesFileLineAndRemedy() {
        String message =
                failure(
                        Archives.in(temp)
                                .text(
                                        "WEB-INF/web.xml",
                                        "<web-app>\n<servlet-mapping><servlet-name>x</servlet-name>"
                                                + "<url-pattern>y</url-pattern></servlet-mapping>"
                                                + "\n</web-app>"));
        assertTrue(message.contains("WEB-INF/web.xml:2:"), message);
        assertTrue(message.contains("must begin with \"/\" or \"*.\". Write \"/y\"."), message);
    }

    @Test
    void listener_ofAnAbsentClass_isNamed() {
        String message =
                failure(
                        Archives.in(temp)
                                .text(
                                        "WEB-INF/web.xml",
                                        "<web-app><listener><listener-class>no.Such"
                                                + "</listener-class></listener></web-app>"));
        assertTrue(message.contains("no.Such"), message);
    }

    @Test
    void listener_thatFails_isNamedWithItsReason() {
        String message =
                failure(
                        Archives.in(temp)
                                .classes(
                                        "WEB-INF/classes/",
                                        List.of(),
                                        "p.L",
                                        "package p; @jakarta.servlet.annotation.WebListener public"
                                                + " class L implements"
                                                + " jakarta.servlet.ServletContextListener { public"
                                                + " void contextInitialized("
                                                + "jakarta.servlet.ServletContextEvent e) { throw"
                                                + " new IllegalStateException(\"no database\"); }"
                                                + " }"));
        assertTrue(message.contains("no database"), message);
    }

    @Test
    void library_damaged_isNamed() {
        String message = failure(Archives.in(temp).text("WEB-INF/lib/x.jar", "no zip"));
        assertTrue(message.contains("WEB-INF/lib/x.jar"), message);
        assertTrue(message.contains("Replace or remove it"), message);
    }

    @Test
    void application_forJavaEe_isToldToConvert() {
        String message =
                failure(
                        Archives.in(temp)
                                .classes(
                                        "WEB-INF/classes/",
                                        List.of(),
                                        "javax.servlet.Old",
                                        "package javax.servlet; public interface Old {}",
                                        "p.L",
                                        "package p; public class L implements javax.servlet.Old,"
                                                + " jakarta.servlet.ServletContextListener {}")
                                .text(
                                        "WEB-INF/web.xml",
                                        "<web-app><listener><listener-class>p.L</listener-class>"
                                                + "</listener></web-app>")
                                .without("WEB-INF/classes/javax/servlet/Old.class"));
        assertTrue(message.contains("jakarta"), message);
    }

    @Test
    void source_absent_isOneClearError() {
        Path war = temp.resolve("nothing.war");
        String message =
                assertThrows(DeploymentException.class, () -> deployer().deploy(war, "/x"))
                        .getMessage();
        assertTrue(message.contains("there is no such file"), message);
    }

    @Test
    void contextPath_wrong_isRefused() {
        for (String path : List.of("x", "/", "/x/", "/../x", "/a//b", "/a%2e", "/a;b")) {
            assertThrows(DeploymentException.class, () -> deployer().deploy(temp, path), path);
        }
    }

    @Test
    void applications_deployedAtOnceOneBroken_theOthersRun() throws Exception {
        Path good = hello().to(temp.resolve("good.war"));
        Path bad = Archives.in(temp).text("../x", "x").to(temp.resolve("bad.war"));
        Deployer deployer = deployer();
        List<Deployment> running = new ArrayList<>();
        int broken = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Deployment>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Path war = i == 3 ? bad : good;
                String path = "/app" + i;
                all.add(threads.submit(() -> deployer.deploy(war, path)));
            }
            for (Future<Deployment> one : all) {
                try {
                    running.add(one.get());
                } catch (java.util.concurrent.ExecutionException e) {
                    assertTrue(e.getCause() instanceof DeploymentException, e::toString);
                    broken++;
                }
            }
        }
        assertEquals(1, broken);
        assertEquals(7, running.size());
        running.forEach(Deployment::undeploy);
    }

    @Test
    void undeploy_letsGoOfFilesAndClasses() throws Exception {
        byte[] library =
                Archives.in(temp)
                        .classes("", List.of(), "q.Q", "package q; public class Q {}")
                        .text("META-INF/resources/r.txt", "r")
                        .toBytes();
        Path war =
                hello().bytes("WEB-INF/lib/q.jar", library)
                        .text("a.jsp", "<%= q.Q.class.getName() %>")
                        .to(temp.resolve("shop.war"));
        WeakReference<ClassLoader> loader = null;
        try (AppServer server = AppServer.start(war, "/shop", temp.resolve("work"))) {
            assertEquals("q.Q", server.get("/a.jsp").body().strip());
            assertEquals("r", server.get("/r.txt").body());
            loader = new WeakReference<>(server.deployment().webApp().context().getClassLoader());
        }
        Path descriptors = Path.of("/proc/self/fd");
        if (Files.isDirectory(descriptors)) {
            try (Stream<Path> open = Files.list(descriptors)) {
                assertFalse(open.anyMatch(fd -> link(fd).endsWith("q.jar")));
            }
        }
        try (Stream<Path> left = Files.list(temp.resolve("work/temporary"))) {
            assertEquals(0, left.count());
        }
        assertTrue(collected(loader), "the class loader is still held");
    }

    private static boolean collected(WeakReference<?> reference) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (System.nanoTime() < end) {
            System.gc();
            if (reference.refersTo(null)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void undeploy_twice_doesNothingMore() {
        Deployment deployment = deployer().deploy(hello().to(temp.resolve("a.war")), "/a");
        deployment.undeploy();
        deployment.undeploy();
    }
}
