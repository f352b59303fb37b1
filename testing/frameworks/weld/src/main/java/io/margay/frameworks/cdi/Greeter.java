package io.margay.frameworks.cdi;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;

/// A bean that belongs to whoever has it, and knows another one.
@Dependent
public class Greeter {
    private final Visits visits;

    @Inject
    public Greeter(Visits visits) {
        this.visits = visits;
    }

    String greet(String whom) {
        return "hello " + whom + " " + visits.next();
    }

    @PreDestroy
    void end() {
        System.setProperty("margay.frameworks.greeter", "destroyed");
    }
}
