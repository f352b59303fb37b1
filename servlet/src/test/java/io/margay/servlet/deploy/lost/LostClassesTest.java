package io.margay.servlet.deploy.lost;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LostClassesTest {
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);

    @TempDir Path folder;

    /// A class that calls a static method `run` of others.
    private static byte[] calling(String name, String... others) {
        return ClassFile.of()
                .build(
                        ClassDesc.of(name),
                        type ->
                                type.withMethodBody(
                                        "run",
                                        NOTHING,
                                        ClassFile.ACC_STATIC,
                                        code -> {
                                            for (String other : others) {
                                                code.invokestatic(
                                                        ClassDesc.of(other), "run", NOTHING);
                                            }
                                            code.return_();
                                        }));
    }

    private static byte[] settingASecurityManager() {
        return ClassFile.of()
                .build(
                        ClassDesc.of("shop.Guard"),
                        type ->
                                type.withMethodBody(
                                        "run",
                                        NOTHING,
                                        ClassFile.ACC_STATIC,
                                        code ->
                                                code.aconst_null()
                                                        .invokestatic(
                                                                ClassDesc.of("java.lang.System"),
                                                                "setSecurityManager",
                                                                MethodTypeDesc.of(
                                                                        CD_void, CD_Object))
                                                        .return_()));
    }

    @BeforeEach
    void makeFolders() throws IOException {
        Files.createDirectories(folder.resolve("WEB-INF/classes/shop"));
        Files.createDirectories(folder.resolve("WEB-INF/lib"));
    }

    private void own(byte[] type) throws IOException {
        Files.write(folder.resolve("WEB-INF/classes/shop/Orders.class"), type);
    }

    private List<String> lost(String... found) throws IOException {
        return LostClasses.of(folder, Set.of(found)::contains);
    }

    @Test
    void classOfTheApplication_withWhatJavaHasLost_isNamedWithTheRemedy() throws IOException {
        own(calling("shop.Orders", "javax.xml.bind.JAXBContext", "javax.xml.bind.Marshaller"));
        assertEquals(
                List.of(
                        "WEB-INF/classes: shop.Orders refers to javax.xml.bind.JAXBContext (JAXB),"
                                + " which Java 11 and newer do not have: add"
                                + " jakarta.xml.bind:jakarta.xml.bind-api:2.3.3 and"
                                + " org.glassfish.jaxb:jaxb-runtime:2.3.9 to WEB-INF/lib, or"
                                + " write deploy: {java-ee-modules: jaxb} in margay.yaml"),
                lost());
        assertTrue(LostClasses.isOwn(lost().getFirst()));
    }

    @Test
    void classesThatTheApplicationBrings_areNotNamed() throws IOException {
        own(calling("shop.Orders", "javax.xml.bind.JAXBContext", "java.util.List", "shop.Other"));
        assertEquals(List.of(), lost("javax/xml/bind/JAXBContext"));
    }

    @Test
    void library_withTwoLostApis_hasALineForEach() throws IOException {
        Path jar = folder.resolve("WEB-INF/lib/soap.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("soap/Client.class"));
            zip.write(calling("soap.Client", "javax.jws.WebService", "sun.misc.BASE64Encoder"));
            zip.putNextEntry(new ZipEntry("soap/Broken.class"));
            zip.write(new byte[] {1, 2, 3});
        }
        List<String> lost = lost();
        assertEquals(2, lost.size(), lost.toString());
        assertTrue(
                lost.getFirst()
                        .startsWith("WEB-INF/lib/soap.jar: soap.Client refers to javax.jws"));
        assertTrue(lost.getLast().endsWith("use java.util.Base64"), lost.toString());
        assertFalse(LostClasses.isOwn(lost.getFirst()));
    }

    /// ASM's constants as they are in a library's own copy of it.
    ///
    /// @param newest version of Java
    private static byte[] opcodes(int newest) {
        return ClassFile.of()
                .build(
                        ClassDesc.of("proxies.asm.$Opcodes"),
                        type -> {
                            constant(type, "V1_1", 3 << 16 | 45);
                            for (int java = 2; java <= newest; java++) {
                                constant(type, (java < 9 ? "V1_" : "V") + java, java + 44);
                            }
                        });
    }

    private static void constant(ClassBuilder type, String name, int value) {
        type.withField(
                name,
                CD_int,
                field ->
                        field.withFlags(ClassFile.ACC_STATIC | ClassFile.ACC_FINAL)
                                .with(ConstantValueAttribute.of(value)));
    }

    private void library(String name, byte[] type) throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve("WEB-INF/lib/" + name));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("proxies/asm/$Opcodes.class"));
            zip.write(type);
        }
    }

    @Test
    void libraryWithAnAsm_thatCannotReadTheClassesOfThisJava_isNamed() throws IOException {
        library("proxies-2.2.jar", opcodes(8));
        library("proxies-9.jar", opcodes(Runtime.version().feature()));
        assertEquals(
                List.of(
                        "WEB-INF/lib/proxies-2.2.jar: proxies.asm.$Opcodes (ASM) reads class files"
                                + " of Java 8 at most, and those of the JDK are of Java "
                                + Runtime.version().feature()
                                + ": take a version of the library with a newer ASM (9.8 for Java"
                                + " 25)"),
                lost());
        assertFalse(LostClasses.isOwn(lost().getFirst()));
    }

    @Test
    void callOfSetSecurityManager_isNamed() throws IOException {
        own(settingASecurityManager());
        assertEquals(1, lost().size());
        assertTrue(
                lost().getFirst().contains("calls System.setSecurityManager"), lost().toString());
    }

    @Test
    void application_withoutClasses_hasNoLines() throws IOException {
        assertEquals(List.of(), LostClasses.of(folder.resolve("none"), _ -> false));
    }
}
