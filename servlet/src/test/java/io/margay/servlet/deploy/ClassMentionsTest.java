package io.margay.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.DescriptorAssembly;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.settings.WebAppSettings.Initializer;
import io.margay.servlet.xml.DescriptorLimits;
import io.margay.testkit.Archives;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Libraries that declare nothing are not indexed, and yet nothing that is declared is missed.
@Tag("slow")
final class ClassMentionsTest {
    private static final String SECURED =
            "import jakarta.servlet.annotation.*; @ServletSecurity(@HttpConstraint("
                    + "ServletSecurity.EmptyRoleSemantic.DENY)) ";

    @TempDir Path temp;

    private Path jar(String name, List<Path> classPath, String... namesAndSources) {
        return Archives.in(temp)
                .classes("", classPath, namesAndSources)
                .to(temp.resolve(name + ".jar"));
    }

    private static ClassMentions of(byte[] bytes) {
        return ClassMentions.of(bytes, bytes.length);
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in.readAllBytes();
        }
    }

    private static ApplicationArchives archives(Path app) throws IOException {
        return ApplicationArchives.read(
                "app",
                app,
                new DescriptorAssembly(DescriptorLimits.defaults()),
                new ClassIndexes(app.resolve("indexes")));
    }

    @Test
    void library_mentions_whatItsClassesAreAnnotatedWithOrExtend() throws Exception {
        String servlet = " class S extends jakarta.servlet.http.HttpServlet {}";
        assertEquals(
                ClassMentions.NONE,
                ClassMentions.read(jar("plain", List.of(), "p.S", "package p;" + servlet)));
        assertEquals(
                new ClassMentions(true, false),
                ClassMentions.read(
                        jar(
                                "annotated",
                                List.of(),
                                "p.S",
                                "package p; @jakarta.servlet.annotation.WebServlet(\"/s\")"
                                        + servlet)));
        assertEquals(
                new ClassMentions(false, true),
                ClassMentions.read(
                        jar(
                                "endpoint",
                                List.of(),
                                "p.E",
                                "package p; @jakarta.websocket.server.ServerEndpoint(\"/e\")"
                                        + " class E { }")));
        assertEquals(
                new ClassMentions(true, false),
                ClassMentions.read(
                        jar(
                                "field",
                                List.of(),
                                "p.F",
                                "package p; class F { @jakarta.annotation.Resource Object o; }")));
    }

    @Test
    void everyKindOfConstant_isPassedOver() throws Exception {
        for (Class<?> type : List.of(String.class, Character.class, java.util.HashMap.class)) {
            assertEquals(ClassMentions.NONE, of(bytesOf(type)), type.getName());
        }
        assertEquals(ClassMentions.NONE, of(bytesOf(ClassIndexes.class)));
    }

    @Test
    void whatIsNoClass_mayMentionAnything() throws Exception {
        byte[] good = bytesOf(String.class);
        ClassMentions all = new ClassMentions(true, true);
        assertEquals(all, of(new byte[0]));
        assertEquals(all, of("no class at all".getBytes(StandardCharsets.US_ASCII)));
        for (int length = 0; length < 2000; length++) {
            assertEquals(all, of(java.util.Arrays.copyOf(good, length)), "cut at " + length);
        }
        long seed = 20261121;
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            byte[] damaged = good.clone();
            damaged[random.nextInt(3000)] = (byte) random.nextInt();
            ClassMentions _ = of(damaged); // Whatever it says, it ends.
        }
    }

    @Test
    void plainLibrary_isNotIndexed_andKnownToBePlainNextTime() throws Exception {
        Path app = temp.resolve("app");
        byte[] noise = new byte[300_000];
        new Random(3).nextBytes(noise);
        Archives.in(temp)
                .classes("", List.of(), "p.P", "package p; public class P {}")
                .bytes("noise", noise)
                .to(app.resolve("WEB-INF/lib/plain.jar"));
        for (int i = 0; i < 2; i++) {
            WebAppDescriptor _ = archives(app).assemble();
            try (Stream<Path> kept = Files.list(app.resolve("indexes"))) {
                List<String> names = kept.map(file -> file.getFileName().toString()).toList();
                assertEquals(1, names.size());
                assertTrue(names.getFirst().endsWith(".none"), names.toString());
            }
        }
    }

    @Test
    void annotationOfASuperClass_isFoundThroughAPlainLibrary() throws Exception {
        Path app = temp.resolve("app");
        Path base =
                jar(
                        "base",
                        List.of(),
                        "base.B",
                        "package base; "
                                + SECURED
                                + "public class B extends jakarta.servlet.http.HttpServlet {}");
        Path plain =
                jar(
                        "plain",
                        List.of(base),
                        "plain.P",
                        "package plain; public class P extends" + " base.B {}");
        assertEquals(ClassMentions.NONE, ClassMentions.read(plain));
        Archives.in(temp)
                .bytes("WEB-INF/lib/base.jar", Files.readAllBytes(base))
                .bytes("WEB-INF/lib/plain.jar", Files.readAllBytes(plain))
                .classes(
                        "WEB-INF/classes/",
                        List.of(base, plain),
                        "own.S",
                        "package own; public class S extends plain.P {}")
                .text(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><servlet><servlet-name>s</servlet-name>"
                                + "<servlet-class>own.S</servlet-class></servlet>"
                                + "<servlet-mapping><servlet-name>s</servlet-name>"
                                + "<url-pattern>/s</url-pattern></servlet-mapping></web-app>")
                .toFolder(app);
        WebAppDescriptor descriptor = archives(app).assemble();
        assertEquals(1, descriptor.security().constraints().size());
        assertEquals(Set.of(), descriptor.security().constraints().getFirst().roles());
    }

    @Test
    void endpoint_isFoundThroughAPlainLibrary_andLeftOutWhereItCannotBeLoaded() throws Exception {
        Path app = temp.resolve("app");
        Path base =
                jar(
                        "base",
                        List.of(),
                        "base.B",
                        "package base; public abstract class B extends jakarta.websocket.Endpoint"
                                + " {}");
        Path plain =
                jar(
                        "plain",
                        List.of(base),
                        "plain.P",
                        "package plain; public abstract class P extends base.B {}");
        Archives archives =
                Archives.in(temp)
                        .bytes("WEB-INF/lib/base.jar", Files.readAllBytes(base))
                        .bytes("WEB-INF/lib/plain.jar", Files.readAllBytes(plain))
                        .classes(
                                "WEB-INF/classes/",
                                List.of(base, plain),
                                "own.E",
                                "package own; public class E extends plain.P { public void onOpen("
                                        + "jakarta.websocket.Session s,"
                                        + " jakarta.websocket.EndpointConfig c) {} }");
        assertEquals(Set.of("base.B", "own.E", "plain.P"), endpoints(archives.toFolder(app)));
        Path other = archives.without("WEB-INF/lib/base.jar").toFolder(temp.resolve("other"));
        assertEquals(Set.of(), endpoints(other));
    }

    private static Set<String> endpoints(Path app) throws IOException {
        ApplicationArchives archives = archives(app);
        ClassLoader container =
                new ContainerClasses(
                        ClassMentionsTest.class.getClassLoader(), VendorDescriptors.NONE);
        try (WebAppClassLoader loader =
                new WebAppClassLoader("app", archives.classes(), archives.libraries(), container)) {
            Initializer first = archives.initializers(container, loader, List.of()).getFirst();
            Set<Class<?>> classes = first.classes();
            assertFalse(first.initializer() == null);
            return classes == null
                    ? Set.of()
                    : classes.stream().map(Class::getName).collect(Collectors.toSet());
        }
    }
}
