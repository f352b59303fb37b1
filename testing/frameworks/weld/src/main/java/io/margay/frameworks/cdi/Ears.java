package io.margay.frameworks.cdi;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.annotation.WebListener;

/// Asks a bean when the application starts, and for each request.
@WebListener
public class Ears implements ServletContextListener, ServletRequestListener {
    @Inject private Rights rights;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        event.getServletContext().setAttribute("listener", rights.mayEnter("ada"));
    }

    @Override
    public void requestInitialized(ServletRequestEvent event) {
        event.getServletRequest().setAttribute("request", rights.mayEnter("mallory"));
    }
}
