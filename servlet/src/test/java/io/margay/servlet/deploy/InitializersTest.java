package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.DescriptorAssembly;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.xml.DescriptorLimits;
import io.margay.testkit.Archives;
import io.margay.testkit.LoggedLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Initializers of real applications, seen through what they leave in the context.
@Tag("slow")
class InitializersTest {
    private static final String SERVICE =
            "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    @TempDir Path temp;
    private Path api;

    @BeforeEach
    void api() {
        api =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(),
                                "api.Plugin",
                                "package api; public interface Plugin {}",
                                "api.Mark",
                                "package api; import java.lang.annotation.*; @Retention("
                                        + "RetentionPolicy.RUNTIME) public @interface Mark {}",
                                "api.Handed",
                                "package api; @Mark @Retention2 public @interface Handed {}",
                                "api.Retention2",
                                "package api; import java.lang.annotation.*; @Inherited @Retention("
                                        + "RetentionPolicy.RUNTIME) public @interface Retention2"
                                        + " {}")
                        .to(temp.resolve("api.jar"));
    }

    /// A library whose initializer appends its name and the classes it was given.
    private byte[] initializer(String name, String handles) {
        String source =
                "package "
                        + name
                        + "; import jakarta.servlet.*; "
                        + handles
                        + " public class Init implements ServletContainerInitializer {"
                        + " public void onStartup(java.util.Set<Class<?>> c, ServletContext x) {"
                        + " Object before = x.getAttribute(\"log\");"
                        + " String names = c == null ? \"null\" :"
                        + " new java.util.TreeSet<>(c.stream().map(Class::getName).toList())"
                        + ".toString();"
                        + " x.setAttribute(\"log\", (before == null ? \"\" : before + \" \") + \""
                        + name
                        + "=\" + names); } }";
        return Archives.in(temp)
                .classes("", List.of(api), name + ".Init", source)
                .text(SERVICE, "# ours\n" + name + ".Init # here\n\n")
                .toBytes();
    }

    private String log(Archives app) {
        Path folder = app.toFolder(temp.resolve("app"));
        Deployment deployment =
                new Deployer(DeploySettings.in(temp.resolve("work"))).deploy(folder, "/app");
        try {
            return String.valueOf(deployment.webApp().context().getAttribute("log"));
        } finally {
            deployment.undeploy();
        }
    }

    private Archives app() throws Exception {
        return Archives.in(temp).bytes("WEB-INF/lib/api.jar", Files.readAllBytes(api));
    }

    private static String handles(String... types) {
        return "@jakarta.servlet.annotation.HandlesTypes({"
                + String.join(",", Stream.of(types).map(type -> type + ".class").toList())
                + "})";
    }

    @Test
    void handledTypes_reachAllThatExtendImplementOrCarry() throws Exception {
        Archives app =
                app().bytes("WEB-INF/lib/a.jar", initializer("a", handles("api.Plugin")))
                        .bytes("WEB-INF/lib/b.jar", initializer("b", handles("api.Mark")))
                        .bytes("WEB-INF/lib/c.jar", initializer("c", ""))
                        .bytes(
                                "WEB-INF/lib/d.jar",
                                initializer("d", handles("jakarta.servlet.Servlet")))
                        .classes(
                                "WEB-INF/classes/",
                                List.of(api),
                                "p.Direct",
                                "package p; public class Direct implements api.Plugin {}",
                                "p.Below",
                                "package p; public abstract class Below extends Direct {}",
                                "p.Sub",
                                "package p; public interface Sub extends api.Plugin {}",
                                "p.OfSub",
                                "package p; class OfSub implements Sub { @api.Mark int x; }",
                                "p.OnMethod",
                                "package p; public class OnMethod { @api.Mark void m() {} }",
                                "p.OnClass",
                                "package p; @api.Mark public class OnClass {}",
                                "p.BelowMarked",
                                "package p; public class BelowMarked extends OnClass {}",
                                "p.S",
                                "package p; public class S extends jakarta.servlet.http.HttpServlet"
                                        + " {}",
                                "p.Other",
                                "package p; public class Other {}");
        assertEquals(
                "a=[p.Below, p.Direct, p.OfSub, p.Sub] b=[api.Handed, p.OfSub, p.OnClass,"
                        + " p.OnMethod] c=null d=[p.S]",
                log(app));
    }

    @Test
    void handledAnnotation_thatIsInherited_reachesSubclasses() throws Exception {
        Archives app =
                app().bytes("WEB-INF/lib/a.jar", initializer("a", handles("api.Retention2")))
                        .classes(
                                "WEB-INF/classes/",
                                List.of(api),
                                "p.A",
                                "package p; @api.Retention2 public class A {}",
                                "p.B",
                                "package p; public class B extends A {}");
        assertEquals("a=[api.Handed, p.A, p.B]", log(app));
    }

    @Test
    void handledClass_thatCannotBeLoaded_isLeftOut() throws Exception {
        Archives app =
                app().bytes("WEB-INF/lib/a.jar", initializer("a", handles("api.Plugin")))
                        .classes(
                                "WEB-INF/classes/",
                                List.of(api),
                                "p.Gone",
                                "package p; public class Gone {}",
                                "p.Bad",
                                "package p; public class Bad extends Gone implements api.Plugin {}",
                                "p.Good",
                                "package p; public class Good implements api.Plugin {}")
                        .without("WEB-INF/classes/p/Gone.class");
        assertEquals("a=[p.Good]", log(app));
    }

    @Test
    void readingManyLibraries_tellsHowFarItHasCome() throws Exception {
        Path folder =
                app().bytes("WEB-INF/lib/a.jar", initializer("a", handles("api.Plugin")))
                        .bytes("WEB-INF/lib/b.jar", initializer("b", ""))
                        .bytes("WEB-INF/lib/c.jar", initializer("c", ""))
                        .toFolder(temp.resolve("slow"));
        AtomicLong seconds = new AtomicLong();
        ApplicationArchives archives =
                ApplicationArchives.read(
                        "slow",
                        folder,
                        List.of(),
                        List.of(),
                        List.of(),
                        new DescriptorAssembly(DescriptorLimits.defaults()),
                        LibraryScan.Names.ALL,
                        new ClassIndexes(temp.resolve("indexes")),
                        () -> TimeUnit.SECONDS.toNanos(seconds.getAndAdd(3)));
        ClassLoader container = InitializersTest.class.getClassLoader();
        try (LoggedLines log = LoggedLines.of(ApplicationArchives.class.getName());
                WebAppClassLoader loader =
                        new WebAppClassLoader(
                                "slow", archives.classes(), archives.libraries(), container)) {
            archives.initializers(
                    new ContainerClasses(container, VendorDescriptors.NONE), loader, List.of());
            assertTrue(log.count("INFO application slow: 1 of 4 libraries") >= 1);
            assertEquals(0, log.count("4 of 4"));
        }
    }

    @Test
    void handledType_thatIsAbsent_handsNothing() throws Exception {
        Path gone =
                Archives.in(temp)
                        .classes("", List.of(), "gone.T", "package gone; public class T {}")
                        .to(temp.resolve("gone.jar"));
        Path before = api;
        api = gone;
        byte[] library = initializer("a", handles("gone.T"));
        api = before;
        assertEquals("a=null", log(app().bytes("WEB-INF/lib/a.jar", library)));
    }

    @Test
    void handledTypes_inAMetadataCompleteApplication_areStillHanded() throws Exception {
        Archives app =
                app().bytes("WEB-INF/lib/a.jar", initializer("a", handles("api.Plugin")))
                        .text("WEB-INF/web.xml", "<web-app metadata-complete='true'/>")
                        .classes(
                                "WEB-INF/classes/",
                                List.of(api),
                                "p.Direct",
                                "package p; public class Direct implements api.Plugin {}");
        assertEquals("a=[p.Direct]", log(app));
    }

    @Test
    void initializers_followTheOrderOfTheirLibraries() throws Exception {
        Archives app =
                app().bytes("WEB-INF/lib/a.jar", fragment("a"))
                        .bytes("WEB-INF/lib/b.jar", fragment("b"))
                        .bytes("WEB-INF/lib/c.jar", fragment("c"))
                        .text(
                                "WEB-INF/web.xml",
                                "<web-app version='6.1'><absolute-ordering><name>c</name><name>a"
                                        + "</name></absolute-ordering></web-app>");
        assertEquals("c=null a=null", log(app));
    }

    private byte[] fragment(String name) throws Exception {
        Path with = Files.createTempDirectory(temp, name);
        Path plain = Files.write(with.resolve("plain.jar"), initializer(name, ""));
        try (var files = java.nio.file.FileSystems.newFileSystem(plain)) {
            Files.writeString(
                    files.getPath("META-INF/web-fragment.xml"),
                    "<web-fragment version='6.1'><name>" + name + "</name></web-fragment>");
        }
        return Files.readAllBytes(plain);
    }

    @Test
    void initializer_inClasses_runs() throws Exception {
        Archives app =
                app().classes(
                                "WEB-INF/classes/",
                                List.of(api),
                                "p.Init",
                                "package p; import jakarta.servlet.*; public class Init implements"
                                        + " ServletContainerInitializer { public void onStartup("
                                        + "java.util.Set<Class<?>> c, ServletContext x) {"
                                        + " x.setAttribute(\"log\", \"own\"); } }")
                        .text("WEB-INF/classes/" + SERVICE, "p.Init");
        assertEquals("own", log(app));
    }

    @Test
    void initializer_thatIsAbsent_isOneClearError() throws Exception {
        Archives app = app().text("WEB-INF/classes/" + SERVICE, "no.Such");
        String message = assertThrows(DeploymentException.class, () -> log(app)).getMessage();
        assertTrue(message.contains("no.Such") && message.contains(SERVICE), message);
    }

    @Test
    void index_ofALargeLibrary_isKeptAndReused() throws Exception {
        Archives app =
                app().bytes("WEB-INF/lib/a.jar", initializer("a", handles("api.Plugin")))
                        .bytes(
                                "WEB-INF/lib/big.jar",
                                Archives.in(temp)
                                        .classes(
                                                "",
                                                List.of(api),
                                                "big.P",
                                                "package big; public class P implements api.Plugin"
                                                        + " {}")
                                        .bytes("noise", noise())
                                        .toBytes());
        assertEquals("a=[big.P]", log(app));
        Path indexes = temp.resolve("work/indexes");
        Path kept;
        try (Stream<Path> files = Files.list(indexes)) {
            kept = files.findFirst().orElseThrow();
        }
        assertEquals("a=[big.P]", log(app));
        Files.writeString(kept, "damaged");
        assertEquals("a=[big.P]", log(app));
    }

    private static byte[] noise() {
        byte[] noise = new byte[300_000];
        new java.util.Random(3).nextBytes(noise);
        return noise;
    }
}
