package io.margay.frameworks.cdi;

import jakarta.enterprise.context.RequestScoped;

/// How often a request has greeted; each request has its own.
@RequestScoped
public class Visits {
    private int count;

    int next() {
        return ++count;
    }
}
