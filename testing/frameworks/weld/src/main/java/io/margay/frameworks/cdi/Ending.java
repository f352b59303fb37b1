package io.margay.frameworks.cdi;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.Dependent;

/// A bean that ends with whoever has it.
@Dependent
public class Ending {
    String word() {
        return "there";
    }

    @PreDestroy
    void end() {
        Ends.tell("bean");
    }
}
