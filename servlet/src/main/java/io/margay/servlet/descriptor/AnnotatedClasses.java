package io.margay.servlet.descriptor;

import java.util.Collection;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jspecify.annotations.Nullable;

/// The classes of the archives whose annotations count. Confined to the deploying thread.
///
/// @param index of the archives in which anything is annotated
/// @param others the classes of the archives in which nothing is: they can lie between a component
///   and a super class of it that is annotated
record AnnotatedClasses(IndexView index, UnindexedClasses others) {
    @Nullable ClassInfo find(String className) {
        ClassInfo known = index.getClassByName(className);
        return known == null ? others.find(className) : known;
    }

    @Nullable ClassInfo superClass(ClassInfo of) {
        DotName name = of.superName();
        return name == null ? null : find(name.toString());
    }

    Collection<AnnotationInstance> annotations(DotName type) {
        return index.getAnnotations(type);
    }
}
