package io.margay.compat.tomcat.javax;

import io.margay.compat.tomcat.removed.HttpQueries;
import io.margay.servlet.settings.PageClasses;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Pages of converted applications are compiled against an API that still has the removed methods,
/// and are then rewritten as other classes are. Immutable.
enum OldPages implements PageClasses {
    INSTANCE;

    private static final String CLASS = ".class";
    private static final String HTTP_UTILS = "jakarta/servlet/http/HttpUtils";

    @Override
    public byte @Nullable [] seen(String name, byte @Nullable [] file) {
        String type = name.substring(0, name.length() - CLASS.length());
        if (file == null) {
            return type.equals(HTTP_UTILS) ? httpUtils() : null;
        }
        List<RemovedApi.Method> removed =
                RemovedApi.METHOD_LIST.stream()
                        .filter(method -> method.receiver().equals(type))
                        .toList();
        Set<String> constructors =
                type.equals(RemovedApi.UNAVAILABLE)
                        ? RemovedApi.UNAVAILABLE_CONSTRUCTORS
                        : Set.of();
        if (removed.isEmpty() && constructors.isEmpty()) {
            return file;
        }
        ClassTransform adding =
                ClassTransform.endHandler(builder -> {
                    removed.forEach(method -> add(builder, method.name(), method.descriptor()));
                    constructors.forEach(descriptor -> add(builder, "<init>", descriptor));
                });
        return ClassFile.of().transformClass(ClassFile.of().parse(file), adding);
    }

    /// Of no meaning but to the compiler.
    private static void add(ClassBuilder builder, String name, String descriptor) {
        builder.withMethodBody(
                name,
                MethodTypeDesc.ofDescriptor(descriptor),
                ClassFile.ACC_PUBLIC,
                code -> code.aconst_null().athrow());
    }

    /// The one removed type that pages name without naming its package: they import that by a star.
    private static byte[] httpUtils() {
        String standIn = HttpQueries.class.getSimpleName();
        try (InputStream in = HttpQueries.class.getResourceAsStream(standIn + CLASS)) {
            byte[] file = in.readAllBytes();
            String name = HttpQueries.class.getName().replace('.', '/');
            byte[] renamed =
                    ClassConstants.renamed(file, standIn, text -> text.replace(name, HTTP_UTILS));
            return renamed == null ? file : renamed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public byte[] compiled(byte[] file) {
        byte[] renamed = ClassConstants.renamed(file, "jakarta", RemovedApi::renamed);
        byte[] current = renamed == null ? file : renamed;
        byte[] rewritten = RemovedCallsRewriter.rewritten(current);
        return rewritten == null ? current : rewritten;
    }
}
