package old;

import org.springframework.web.servlet.support.AbstractAnnotationConfigDispatcherServletInitializer;

/// Starts the application, which has no descriptor.
public class Start extends AbstractAnnotationConfigDispatcherServletInitializer {
    @Override
    protected Class<?>[] getRootConfigClasses() {
        return null;
    }

    @Override
    protected Class<?>[] getServletConfigClasses() {
        return new Class<?>[] {Configuration.class};
    }

    @Override
    protected String[] getServletMappings() {
        return new String[] {"/"};
    }

    @org.springframework.context.annotation.Configuration
    @org.springframework.web.servlet.config.annotation.EnableWebMvc
    @org.springframework.context.annotation.ComponentScan("old")
    public static class Configuration {}
}
