package io.margay.frameworks.mvc;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.web.servlet.ViewResolver;
import org.springframework.web.servlet.config.annotation.DefaultServletHandlerConfigurer;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.view.InternalResourceViewResolver;

/// Views are pages below WEB-INF; what no controller has, the container's default servlet serves.
@Configuration
@EnableWebMvc
@ComponentScan
public class Pages implements WebMvcConfigurer {
    /// `${...}` out of the environment, of which JNDI is a part.
    @Bean
    public static PropertySourcesPlaceholderConfigurer placeholders() {
        return new PropertySourcesPlaceholderConfigurer();
    }

    /// `notes` is `/WEB-INF/views/notes.jsp`.
    @Bean
    public ViewResolver views() {
        return new InternalResourceViewResolver("/WEB-INF/views/", ".jsp");
    }

    @Override
    public void configureDefaultServletHandling(DefaultServletHandlerConfigurer configurer) {
        configurer.enable();
    }
}
