package io.margay.compat.tomcat.javax;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.application.AppServer;
import io.margay.compat.tomcat.application.TomcatApplications;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.testkit.Archives;
import io.margay.testkit.LoggedLines;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Applications for Tomcat 9 and before are deployed as they are.
@Tag("slow")
final class JavaxApplicationsTest {
    @TempDir Path temp;

    private AppServer serve(Path source) {
        return AppServer.start(source, "/app", temp.resolve("work"), UnaryOperator.identity());
    }

    private static void says(String expected, HttpResponse<String> response) {
        assertEquals(200, response.statusCode(), response.body());
        assertEquals(expected, response.body().strip().replaceAll("\\s+", " "));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void war_withDescriptorPagesTagsAndLibraries_isServed(int minor) throws Exception {
        byte[] library = Files.readAllBytes(OldApplication.library(temp));
        Path war =
                OldApplication.files(temp, minor)
                        .bytes("WEB-INF/lib/library.jar", library)
                        .to(temp.resolve("old.war"));
        byte[] before = Files.readAllBytes(war);
        try (AppServer server = serve(war)) {
            says("true from the descriptor", server.get("/old"));
            says("hello b GET c", server.get("/page.jsp"));
            says("tag file true", server.get("/filed.jsp"));
            says("about javax.servlet.Servlet", server.get("/note.txt"));
            says("says javax.servlet.Servlet", server.get("/static.txt"));
            says("[class lib.Annotated] /app/found", server.get("/found"));
            String account = String.valueOf(server.deployment().conversion());
            assertTrue(
                    account.startsWith("converted from javax: ")
                            && account.contains("1 libraries converted, 0 found converted"),
                    account);
        }
        assertArrayEquals(before, Files.readAllBytes(war));
    }

    @Test
    void folder_isServedAndNotChanged() throws Exception {
        Path folder = OldApplication.files(temp, 3).toFolder(temp.resolve("old"));
        Path page = folder.resolve("page.jsp");
        byte[] before = Files.readAllBytes(page);
        try (AppServer server = serve(folder)) {
            says("hello b GET c", server.get("/page.jsp"));
        }
        assertArrayEquals(before, Files.readAllBytes(page));
        try (AppServer server = serve(folder)) {
            assertEquals("converted from javax before", server.deployment().conversion());
            says("hello b GET c", server.get("/page.jsp"));
        }
        Files.writeString(page, "<%= new javax.servlet.http.Cookie(\"n\", \"v\").getName() %>");
        try (AppServer server = serve(folder)) {
            says("n", server.get("/page.jsp"));
        }
    }

    @Test
    void library_ofSeveralApplications_isConvertedOnce() throws Exception {
        byte[] library = Files.readAllBytes(OldApplication.library(temp));
        Path one = application("one", library);
        Path other = application("other", library);
        Deployer deployer = AppServer.deployer(temp.resolve("work"), UnaryOperator.identity());
        Deployment first = deployer.deploy(one, "/one");
        Deployment second = deployer.deploy(other, "/other");
        try {
            assertTrue(
                    String.valueOf(second.conversion())
                            .contains("0 libraries converted, 1 found converted"),
                    second.conversion());
            assertEquals(1, stored().size());
            assertEquals(3, Files.getAttribute(stored().getFirst(), "unix:nlink"));
        } finally {
            first.undeploy();
            second.undeploy();
        }
    }

    private Path application(String name, byte[] library) {
        return OldApplication.files(temp, 3)
                .bytes("WEB-INF/lib/" + name + ".jar", library)
                .to(temp.resolve(name + ".war"));
    }

    private List<Path> stored() throws IOException {
        try (Stream<Path> files = Files.list(temp.resolve("work/converted/libraries"))) {
            return files.toList();
        }
    }

    @Test
    void library_ofTwoApplicationsDeployedAtOnce_isWhole() throws Exception {
        byte[] library = Files.readAllBytes(OldApplication.library(temp));
        Deployer deployer = AppServer.deployer(temp.resolve("work"), UnaryOperator.identity());
        Path war = application("one", library);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Deployment>> all =
                    Stream.of("/a", "/b", "/a", "/b")
                            .map(path -> threads.submit(() -> deployer.deploy(war, path)))
                            .toList();
            for (Future<Deployment> each : all) {
                each.get().undeploy();
            }
        }
        assertEquals(1, stored().size());
    }

    @Test
    void signedLibrary_losesItsSignature_andSaysSo() throws Exception {
        Path signed = OldApplication.signed(temp, OldApplication.library(temp));
        Path war = application("signed", Files.readAllBytes(signed));
        try (LoggedLines log = LoggedLines.of(LibraryConversion.class.getName());
                AppServer server = serve(war)) {
            says("hello b GET c", server.get("/page.jsp"));
            assertEquals(1, log.count("WEB-INF/lib/signed.jar was signed"), log::toString);
            assertTrue(
                    String.valueOf(server.deployment().conversion())
                            .endsWith("signatures removed from 1"),
                    server.deployment().conversion());
        }
    }

    @Test
    void jakartaApplication_isDeployedAsItIs() {
        Path war =
                Archives.in(temp)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "p.New",
                                """
                                package p;
                                @jakarta.servlet.annotation.WebServlet("/new")
                                public class New extends jakarta.servlet.http.HttpServlet {
                                    Object old = "javax/servlet/Servlet";
                                }
                                """)
                        .to(temp.resolve("new.war"));
        try (AppServer server = serve(war)) {
            assertNull(server.deployment().conversion());
        }
    }

    @Test
    void javaxOff_refusesTheApplicationByName() {
        Path war = OldApplication.files(temp, 3).to(temp.resolve("old.war"));
        Deployer deployer =
                new Deployer(
                        DeploySettings.in(temp.resolve("work"))
                                .withVendor(new TomcatApplications())
                                .withConversion(JavaxApplications.refused()));
        String message =
                String.valueOf(
                        assertThrows(DeploymentException.class, () -> deployer.deploy(war, "/app"))
                                .getMessage());
        assertTrue(
                message.contains("old.war: the application was written for Java EE")
                        && message.contains("\"deploy: {javax: off}\" refuses"),
                message);
    }

    @Test
    void storedLibraries_beyondTheLimit_areDeletedUnlessUsed() throws Exception {
        ConversionLimits limits = new ConversionLimits(1 << 20, 1 << 20, 0);
        LibraryStore store = new LibraryStore(temp.resolve("store"), limits);
        ConversionCost cost = new ConversionCost(0);
        Path library = OldApplication.library(temp);
        Path stored = store.get(library, "library.jar", cost);
        assertTrue(stored != null && Files.exists(stored));
        Path user = Files.createLink(temp.resolve("used.jar"), stored);
        store.clean();
        assertTrue(Files.exists(stored));
        Files.delete(user);
        store.clean();
        assertTrue(Files.notExists(stored));
    }

    @Test
    void library_beyondTheLimit_isRefused() {
        ConversionLimits limits = new ConversionLimits(1 << 20, 100, 0);
        LibraryStore store = new LibraryStore(temp.resolve("store"), limits);
        Path library = OldApplication.library(temp);
        IOException refused =
                assertThrows(
                        IOException.class,
                        () -> store.get(library, "library.jar", new ConversionCost(0)));
        assertTrue(String.valueOf(refused.getMessage()).contains("libraryBytesMax 100"));
    }
}
