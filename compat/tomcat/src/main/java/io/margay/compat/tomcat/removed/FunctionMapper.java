package io.margay.compat.tomcat.removed;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/// `FunctionMapper` of JSP 2.0.
public interface FunctionMapper {
    @Nullable Method resolveFunction(String prefix, String name);
}
