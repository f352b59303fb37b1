package io.margay.servlet.descriptor;

import org.jboss.jandex.ClassInfo;
import org.jspecify.annotations.Nullable;

/// Finds classes of archives that have no index, since nothing in them is annotated.
@FunctionalInterface
public interface UnindexedClasses {
    /// @return null when none of those archives has it
    @Nullable ClassInfo find(String className);
}
