package io.margay.compat.tomcat.javax;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Gives classes that extend a wrapper, or implement an interface of the API, the removed methods
/// that they inherited: who calls them on the application's own type names that type, and not the
/// API's. Stateless.
final class RemovedOverrides {
    private static final String OBJECT = "java/lang/Object";
    private static final int DEFAULT_METHODS_SINCE = 52;

    private RemovedOverrides() {}

    /// The class file with methods added; null when none is missing.
    static byte @Nullable [] added(ClassModel model) {
        List<RemovedApi.Method> missing = missing(model);
        if (missing.isEmpty()) {
            return null;
        }
        ClassTransform adding =
                ClassTransform.endHandler(builder ->
                        missing.forEach(method ->
                                builder.withMethodBody(
                                        method.name(),
                                        MethodTypeDesc.ofDescriptor(method.descriptor()),
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_SYNTHETIC,
                                        code -> body(method, model, code))));
        return ClassFile.of().transformClass(model, adding);
    }

    private static void body(RemovedApi.Method method, ClassModel model, CodeBuilder code) {
        String wrapper = method.wrapper();
        String first = wrapper == null || implementsItself(model) ? method.receiver() : wrapper;
        MethodTypeDesc type = MethodTypeDesc.ofDescriptor(method.descriptor());
        code.aload(0);
        int slot = 1;
        for (ClassDesc parameter : type.parameterList()) {
            TypeKind kind = TypeKind.from(parameter);
            code.loadLocal(kind, slot);
            slot += kind.slotSize();
        }
        code.invokestatic(
                ClassDesc.ofInternalName(RemovedApi.METHODS),
                method.name(),
                MethodTypeDesc.ofDescriptor(method.with(first)));
        code.return_(TypeKind.from(type.returnType()));
    }

    private static boolean implementsItself(ClassModel model) {
        return OBJECT.equals(parent(model)); // As interfaces have it, too.
    }

    private static @Nullable String parent(ClassModel model) {
        return model.superclass().map(ClassEntry::asInternalName).orElse(null);
    }

    private static List<RemovedApi.Method> missing(ClassModel model) {
        Set<String> types = new HashSet<>();
        boolean isInterface = model.flags().has(AccessFlag.INTERFACE);
        if (isInterface && model.majorVersion() < DEFAULT_METHODS_SINCE) {
            return List.of();
        }
        String parent = parent(model);
        if (parent != null) {
            types.add(parent);
        }
        if (OBJECT.equals(parent)) {
            model.interfaces().forEach(each -> types.add(each.asInternalName()));
        }
        List<RemovedApi.Method> missing = new ArrayList<>();
        for (RemovedApi.Method method : RemovedApi.METHOD_LIST) {
            boolean inherited = method.owners().stream().anyMatch(types::contains);
            if (inherited && !declares(model, method)) {
                missing.add(method);
            }
        }
        return missing;
    }

    private static boolean declares(ClassModel model, RemovedApi.Method method) {
        return model.methods().stream()
                .anyMatch(own ->
                        own.methodName().equalsString(method.name())
                                && own.methodType().equalsString(method.descriptor()));
    }
}
