package io.margay.servlet.deploy.lost;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.constant.ConstantDesc;
import java.util.Optional;

/// Recognises ASM, which frameworks have in packages of their own, by the constants of its
/// `Opcodes`, and tells which class files it reads. A newer one makes its `ClassReader` throw
/// IllegalArgumentException, for which scanners leave classes out and proxies fail. Stateless.
final class OldAsm {
    /// Class files of Java N have the major version N + 44.
    private static final int BEFORE_JAVA_1 = 44;

    private static final int MAJOR = 0xFFFF;

    private OldAsm() {}

    /// What is to be said of a class, behind the name of its archive.
    static Optional<String> of(ClassModel type) {
        int newest = 0;
        int old = 0;
        for (FieldModel field : type.fields()) {
            String name = field.fieldName().stringValue();
            int version = name.matches("V[0-9]+(_[0-9])?") ? version(field) : 0;
            newest = Math.max(newest, version);
            old += name.matches("V1_[1-5]") && version > BEFORE_JAVA_1 ? 1 : 0;
        }
        int needed = ClassFile.latestMajorVersion();
        if (old < 5 || newest >= needed) {
            return Optional.empty();
        }
        String name = type.thisClass().asInternalName().replace('/', '.');
        return Optional.of(
                ": "
                        + name
                        + " (ASM) reads class files of Java "
                        + (newest - BEFORE_JAVA_1)
                        + " at most, and those of the JDK are of Java "
                        + (needed - BEFORE_JAVA_1)
                        + ": take a version of the library with a newer ASM (9.8 for Java 25)");
    }

    private static int version(FieldModel field) {
        return field.findAttribute(Attributes.constantValue())
                .map(value -> number(value.constant().constantValue()))
                .orElse(0);
    }

    private static int number(ConstantDesc value) {
        return value instanceof Integer number ? number & MAJOR : 0;
    }
}
