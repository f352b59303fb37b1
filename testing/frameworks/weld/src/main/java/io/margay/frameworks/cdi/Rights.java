package io.margay.frameworks.cdi;

import jakarta.enterprise.context.ApplicationScoped;

/// Who may come in; one for the application.
@ApplicationScoped
public class Rights {
    boolean mayEnter(String name) {
        return !"mallory".equals(name);
    }
}
