package io.margay.servlet.descriptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is read of class files, whole and broken ones.
final class ClassHeaderTest {
    private static final String ANNOTATIONS =
            "import java.lang.annotation.*; @interface In { String[] texts() default {}; int n()"
                    + " default 1; Class<?> type() default Object.class;"
                    + " RetentionPolicy policy() default RetentionPolicy.CLASS; }";

    @TempDir Path temp;

    private ClassHeader compiled(String source) throws IOException {
        Path folder =
                Archives.in(temp)
                        .classes(
                                "",
                                List.of(),
                                "p.A",
                                "package p; "
                                        + ANNOTATIONS
                                        + " @Retention(RetentionPolicy.RUNTIME)"
                                        + " @interface On { In[] nested() default {}; In one()"
                                        + " default @In; } @Retention(RetentionPolicy.RUNTIME)"
                                        + " @interface Also {} "
                                        + source)
                        .toFolder(temp.resolve("classes"));
        byte[] bytes = Files.readAllBytes(folder.resolve("p/A.class"));
        return ClassHeader.read(bytes, bytes.length);
    }

    @Test
    void superClassInterfacesAndAnnotations_areRead() throws Exception {
        ClassHeader header =
                compiled(
                        "@On(nested = {@In(texts = {\"a\", \"b\"}, n = 7), @In(type = int.class,"
                                + " policy = RetentionPolicy.SOURCE)}, one = @In(n = 3))"
                                + " @Also @Deprecated"
                                + " public abstract class A extends java.util.AbstractList<String>"
                                + " implements Runnable, java.io.Serializable {"
                                + " static final long L = 1L << 40; double d = 1.5;"
                                + " Runnable r = () -> System.out.println(L + \"\" + d); }");
        assertEquals("p.A", header.name());
        assertEquals("java.util.AbstractList", header.superName());
        assertEquals(List.of("java.lang.Runnable", "java.io.Serializable"), header.interfaces());
        assertEquals(Set.of("p.On", "p.Also", "java.lang.Deprecated"), header.onClass());
        assertEquals(Set.of(), header.onMembers());
    }

    @Test
    void annotationsOfMembers_areReadApart() throws Exception {
        assertEquals(Set.of("p.On"), compiled("public class A { @On int field; }").onMembers());
        assertEquals(
                Set.of("p.Also"),
                compiled("public class A { int n; @Also void method() {} }").onMembers());
        ClassHeader header = compiled("public class A { void m(int n, @On int of) {} }");
        assertEquals(Set.of("p.On"), header.onMembers());
        assertEquals(Set.of(), header.onClass());
    }

    @Test
    void classWithoutSuperClass_andWithEveryKindOfConstant_isRead() throws Exception {
        assertNull(read(Object.class).superName());
        assertEquals("java.lang.String", read(String.class).name());
        assertNotNull(read(java.util.HashMap.class));
    }

    private static ClassHeader read(Class<?> type) throws IOException {
        byte[] bytes = bytesOf(type);
        return ClassHeader.read(bytes, bytes.length);
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return in.readAllBytes();
        }
    }

    @Test
    void whatIsNoClass_isNone_andDamageEnds() throws Exception {
        byte[] good = bytesOf(Thread.class);
        for (int length = 0; length < 4000; length++) {
            assertNull(ClassHeader.read(Arrays.copyOf(good, length), length), "cut at " + length);
        }
        Random random = new Random(20261122);
        for (int i = 0; i < 3000; i++) {
            byte[] damaged = good.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            ClassHeader _ = ClassHeader.read(damaged, damaged.length); // Whatever it says, it ends.
        }
    }
}
