package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebAppClassLoaderTest {
    @TempDir Path temp;

    private static final ContainerClasses CONTAINER =
            new ContainerClasses(
                    WebAppClassLoaderTest.class.getClassLoader(), VendorDescriptors.NONE);

    private WebAppClassLoader loader(Path... libraries) {
        return new WebAppClassLoader("shop", null, List.of(libraries), CONTAINER);
    }

    private Path jar(String file, String... namesAndSources) {
        return Archives.in(temp).classes("", List.of(), namesAndSources).to(temp.resolve(file));
    }

    private static String source(String name, String body) {
        int dot = name.lastIndexOf('.');
        return "package "
                + name.substring(0, dot)
                + "; public class "
                + name.substring(dot + 1)
                + " "
                + body;
    }

    @Test
    void class_ofTheApplication_comesBeforeTheContainer() throws Exception {
        Path jar =
                jar(
                        "a.jar",
                        "io.margay.servlet.naming.ApplicationContexts",
                        "package io.margay.servlet.naming; public class ApplicationContexts {}");
        try (WebAppClassLoader loader = loader(jar)) {
            Class<?> own = loader.loadClass("io.margay.servlet.naming.ApplicationContexts");
            assertSame(loader, own.getClassLoader());
        }
    }

    /// CDI containers bring the API of annotations: another copy of it would hide `@PostConstruct`
    /// and `@Resource` from the container.
    @Test
    void annotations_thatTheApplicationBrings_areTheContainers() throws Exception {
        Path jar =
                jar(
                        "a.jar",
                        "jakarta.annotation.PostConstruct",
                        "package jakarta.annotation; public @interface PostConstruct {}");
        try (WebAppClassLoader loader = loader(jar)) {
            assertSame(
                    jakarta.annotation.PostConstruct.class,
                    loader.loadClass("jakarta.annotation.PostConstruct"));
        }
    }

    @Test
    void class_visibleOfTheContainer_isFoundWhenTheApplicationHasNone() throws Exception {
        try (WebAppClassLoader loader = loader()) {
            assertSame(
                    jakarta.annotation.PostConstruct.class,
                    loader.loadClass("jakarta.annotation.PostConstruct"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jakarta.servlet.Servlet",
                "jakarta.servlet.jsp.JspPage",
                "jakarta.el.ExpressionFactory",
                "jakarta.websocket.Endpoint",
                "org.apache.jasper.runtime.HttpJspBase",
                "org.apache.el.ExpressionFactoryImpl",
                "org.apache.tomcat.InstanceManager",
                "org.apache.juli.logging.Log",
            })
    void class_ofAnApi_comesFromTheContainerWhateverTheApplicationBrings(String name)
            throws Exception {
        Path jar = jar("a.jar", name, source(name, "{}"));
        try (WebAppClassLoader loader = loader(jar)) {
            assertSame(Class.forName(name), loader.loadClass(name));
            String file = name.replace('.', '/') + ".class";
            assertFalse(loader.getResource(file).toString().contains("a.jar"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jakarta.websocket.missing.Api", "jakarta.servlet.jsp.jstl.core.Config"})
    void class_ofAnApiThatTheContainerLacks_comesFromTheApplication(String name) throws Exception {
        Path jar = jar("a.jar", name, source(name, "{}"));
        try (WebAppClassLoader loader = loader(jar)) {
            assertSame(loader, loader.loadClass(name).getClassLoader());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"javax.sql.DataSource", "org.w3c.dom.Node", "javax.xml.parsers.X"})
    void class_inAPackageOfThePlatform_cannotBeReplaced(String name) throws Exception {
        Path jar =
                Archives.in(temp)
                        .text(name.replace('.', '/') + ".class", "")
                        .to(temp.resolve("a.jar"));
        try (WebAppClassLoader loader = loader(jar)) {
            if (name.endsWith("X")) {
                assertThrows(ClassNotFoundException.class, () -> loader.loadClass(name));
            } else {
                assertSame(Class.forName(name), loader.loadClass(name));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.margay.servlet.deploy.Deployer",
                "io.margay.servlet.deploy.WebAppClassLoader",
                "io.margay.protocol.http.Fields",
                "org.jboss.jandex.Index",
                "org.eclipse.jdt.internal.compiler.Compiler",
                "org.junit.jupiter.api.Test",
            })
    void class_privateToTheContainer_isInvisible(String name) throws Exception {
        try (WebAppClassLoader loader = loader()) {
            assertThrows(ClassNotFoundException.class, () -> loader.loadClass(name));
            assertNull(loader.getResource(name.replace('.', '/') + ".class"));
        }
    }

    @Test
    void resource_ofTheContainersClassPath_isInvisible() throws Exception {
        try (WebAppClassLoader loader = loader()) {
            assertNull(loader.getResource("META-INF/MANIFEST.MF"));
            assertNull(
                    loader.getResource("META-INF/services/org.junit.platform.engine.TestEngine"));
            assertNotNull(loader.getResource("META-INF/services/jakarta.el.ExpressionFactory"));
        }
    }

    @Test
    void resources_ofSeveralLibraries_areInOrder() throws Exception {
        Path a = Archives.in(temp).text("x.txt", "a").to(temp.resolve("a.jar"));
        Path b = Archives.in(temp).text("x.txt", "b").to(temp.resolve("b.jar"));
        Path classes = Archives.in(temp).text("x.txt", "c").toFolder(temp.resolve("classes"));
        try (WebAppClassLoader loader =
                new WebAppClassLoader("shop", classes, List.of(b, a), CONTAINER)) {
            List<String> texts =
                    Collections.list(loader.getResources("x.txt")).stream()
                            .map(WebAppClassLoaderTest::read)
                            .toList();
            assertEquals(List.of("c", "b", "a"), texts);
            assertEquals("c", read(loader.getResource("x.txt")));
        }
    }

    @Test
    void container_thatGoesFirst_hidesWhatTheApplicationHas() throws Exception {
        Path shared =
                Archives.in(temp)
                        .classes("", List.of(), "lib.Both", source("lib.Both", "{}"))
                        .text("x.txt", "shared")
                        .to(temp.resolve("shared.jar"));
        Path own =
                Archives.in(temp)
                        .classes("", List.of(), "lib.Both", source("lib.Both", "{}"))
                        .classes("", List.of(), "lib.Own", source("lib.Own", "{}"))
                        .text("x.txt", "own")
                        .to(temp.resolve("own.jar"));
        try (SharedLibraries libraries =
                        new SharedLibraries(
                                List.of(shared),
                                getClass().getClassLoader(),
                                VendorDescriptors.NONE);
                WebAppClassLoader first =
                        new WebAppClassLoader("shop", List.of(), List.of(own), libraries, true);
                WebAppClassLoader last =
                        new WebAppClassLoader("shop", List.of(), List.of(own), libraries, false)) {
            assertSame(libraries, first.loadClass("lib.Both").getClassLoader());
            assertSame(first, first.loadClass("lib.Own").getClassLoader());
            assertSame(last, last.loadClass("lib.Both").getClassLoader());
            assertEquals("shared", read(first.getResource("x.txt")));
            assertEquals("own", read(last.getResource("x.txt")));
            assertEquals(
                    List.of("shared", "own"),
                    Collections.list(first.getResources("x.txt")).stream()
                            .map(WebAppClassLoaderTest::read)
                            .toList());
        }
    }

    private static String read(java.net.URL url) {
        try (InputStream in = url.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void serviceLoader_forAServiceOfThePlatform_findsTheApplicationsProvider() throws Exception {
        Path jar =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(),
                                "p.Provider",
                                "package p; public class Provider extends"
                                        + " java.nio.file.spi.FileTypeDetector { public String"
                                        + " probeContentType(java.nio.file.Path p) { return"
                                        + " \"x\"; } }")
                        .text("META-INF/services/java.nio.file.spi.FileTypeDetector", "p.Provider")
                        .to(temp.resolve("a.jar"));
        try (WebAppClassLoader loader = loader(jar)) {
            var found =
                    ServiceLoader.load(java.nio.file.spi.FileTypeDetector.class, loader).stream()
                            .map(provider -> provider.type().getName())
                            .toList();
            assertTrue(found.contains("p.Provider"), found::toString);
        }
    }

    @Test
    void serviceLoader_forAServiceOfTheContainer_findsTheContainersProvider() throws Exception {
        try (WebAppClassLoader loader = loader()) {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(loader);
            try {
                assertEquals(
                        "org.apache.el.ExpressionFactoryImpl",
                        jakarta.el.ExpressionFactory.newInstance().getClass().getName());
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    @Test
    void classes_ofTwoApplications_areDifferent() throws Exception {
        Path jar = jar("a.jar", "p.A", source("p.A", "{}"));
        try (WebAppClassLoader one = loader(jar);
                WebAppClassLoader two = loader(jar)) {
            assertNotSame(one.loadClass("p.A"), two.loadClass("p.A"));
        }
    }

    @Test
    void class_missing_namesTheApplicationAndTheRemedy() throws Exception {
        try (WebAppClassLoader loader = loader()) {
            String plain =
                    assertThrows(ClassNotFoundException.class, () -> loader.loadClass("no.Such"))
                            .getMessage();
            assertTrue(plain.contains("no.Such") && plain.contains("shop"), plain);
            String old =
                    assertThrows(
                                    ClassNotFoundException.class,
                                    () -> loader.loadClass("javax.servlet.Servlet"))
                            .getMessage();
            assertTrue(old.contains("Java EE") && old.contains("jakarta"), old);
        }
    }

    @Test
    void class_damaged_isNamedWithItsPlace() throws Exception {
        Path jar = Archives.in(temp).text("p/A.class", "nonsense").to(temp.resolve("bad.jar"));
        try (WebAppClassLoader loader = loader(jar)) {
            String message =
                    assertThrows(ClassFormatError.class, () -> loader.loadClass("p.A"))
                            .getMessage();
            assertTrue(message.contains("p.A") && message.contains("bad.jar"), message);
        }
    }

    @Test
    void class_ofANewerJava_namesTheRemedy() throws Exception {
        byte[] jar = Archives.in(temp).classes("", List.of(), "p.A", source("p.A", "{}")).toBytes();
        Path classes = temp.resolve("new");
        try (var zip = new java.util.zip.ZipInputStream(new java.io.ByteArrayInputStream(jar))) {
            zip.getNextEntry();
            byte[] bytes = zip.readAllBytes();
            bytes[7] = (byte) 200;
            Files.createDirectories(classes.resolve("p"));
            Files.write(classes.resolve("p/A.class"), bytes);
        }
        try (WebAppClassLoader loader =
                new WebAppClassLoader("shop", classes, List.of(), CONTAINER)) {
            String message =
                    assertThrows(UnsupportedClassVersionError.class, () -> loader.loadClass("p.A"))
                            .getMessage();
            assertTrue(message.contains("newer Java"), message);
        }
    }

    @Test
    void close_afterUseInEveryWay_releasesTheLibrary() throws Exception {
        Path jar =
                Archives.in(temp)
                        .classes("", List.of(), "p.A", source("p.A", "{}"))
                        .text("x.txt", "x")
                        .to(temp.resolve("open.jar"));
        WebAppClassLoader loader = loader(jar);
        loader.loadClass("p.A");
        assertEquals("x", read(loader.getResource("x.txt")));
        loader.close();
        Path descriptors = Path.of("/proc/self/fd");
        if (Files.isDirectory(descriptors)) {
            try (Stream<Path> open = Files.list(descriptors)) {
                assertFalse(open.anyMatch(fd -> link(fd).endsWith("open.jar")));
            }
        }
    }

    @Test
    void close_ofOneLife_leavesWhatAnotherReads() throws Exception {
        Path jar =
                Archives.in(temp)
                        .text("x.txt", "a long text ".repeat(10_000))
                        .to(temp.resolve("shared.jar"));
        for (String name : List.of("x.txt", "jakarta/servlet/http/HttpServlet.class")) {
            try (WebAppClassLoader next = loader(jar)) {
                WebAppClassLoader before = loader(jar);
                try (InputStream first = before.getResourceAsStream(name);
                        InputStream second = before.getResource(name).openStream();
                        InputStream third = next.getResourceAsStream(name);
                        InputStream fourth = next.getResource(name).openStream()) {
                    byte[] whole = first.readAllBytes();
                    assertArrayEquals(whole, second.readAllBytes());
                    byte[] begin = third.readNBytes(10);
                    assertArrayEquals(begin, fourth.readNBytes(10));
                    before.close();
                    assertEquals(whole.length - 10, third.readAllBytes().length, name);
                    assertEquals(whole.length - 10, fourth.readAllBytes().length, name);
                }
            }
        }
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void classes_thatNeedEachOtherLoadedInParallel_areLoadedOnce() throws Exception {
        String[] sources = new String[80];
        for (int i = 0; i < 40; i++) {
            sources[2 * i] = "p.C" + i;
            sources[2 * i + 1] =
                    i == 0
                            ? source("p.C0", "{}")
                            : "package p; public class C" + i + " extends C" + (i - 1) + " {}";
        }
        Path jar = jar("p.jar", sources);
        try (WebAppClassLoader loader = loader(jar);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Class<?>>> all =
                    IntStream.range(0, 200)
                            .mapToObj(i ->
                                    threads.<Class<?>>submit(
                                            () -> loader.loadClass("p.C" + (i * 7) % 40)))
                            .toList();
            for (int i = 0; i < all.size(); i++) {
                assertSame(loader.loadClass("p.C" + (i * 7) % 40), all.get(i).get());
            }
        }
    }

    @Test
    void supplier_ofTheApplication_isAPlatformSupplier() throws Exception {
        Path jar =
                jar(
                        "a.jar",
                        "p.S",
                        "package p; public class S implements java.util.function.Supplier<String>"
                                + " { public String get() { return \"s\"; } }");
        try (WebAppClassLoader loader = loader(jar)) {
            Object made = loader.loadClass("p.S").getDeclaredConstructor().newInstance();
            assertEquals("s", ((Supplier<?>) made).get());
        }
    }
}
