package io.margay.frameworks.mvc;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.support.AbstractAnnotationConfigDispatcherServletInitializer;

/// Registers the dispatcher servlet, with no line of web.xml.
public final class Initializer extends AbstractAnnotationConfigDispatcherServletInitializer {
    @Override
    protected Class<?> @Nullable [] getRootConfigClasses() {
        return null;
    }

    @Override
    protected Class<?>[] getServletConfigClasses() {
        return new Class<?>[] {Pages.class};
    }

    @Override
    protected String[] getServletMappings() {
        return new String[] {"/"};
    }
}
