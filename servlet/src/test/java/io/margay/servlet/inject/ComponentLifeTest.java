package io.margay.servlet.inject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppDescriptor.Callbacks;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComponentLifeTest {
    private static final List<String> CALLS = new ArrayList<>();

    static class Base {
        @PostConstruct
        private void born() {
            CALLS.add("base born");
        }

        @PreDestroy
        void dies() {
            CALLS.add("base dies");
        }

        @PostConstruct
        void overridden() {
            CALLS.add("never");
        }

        @PostConstruct
        static void unbound() {
            CALLS.add("never");
        }

        @PostConstruct
        void withParameter(String x) {
            CALLS.add("never");
        }
    }

    static class Derived extends Base {
        @PostConstruct
        private void born() {
            CALLS.add("derived born");
        }

        @PostConstruct
        @Override
        void overridden() {
            CALLS.add("once");
        }
    }

    static class Failing {
        @PostConstruct
        void born() {
            throw new IllegalStateException("no");
        }
    }

    static class FailingEnd {
        @PreDestroy
        void dies() {
            throw new IllegalStateException("still here");
        }
    }

    static class OfRequest implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {}

        @Override
        public void destroy() {}

        @PreDestroy
        void dies() {
            CALLS.add("never");
        }
    }

    private final ComponentLife life =
            new ComponentLife(Injector.of(null), new Beans(Beans.class.getClassLoader()));

    @Test
    void created_callsSuperClassesFirstAndOverriddenOnce() throws Exception {
        CALLS.clear();
        life.created(new Derived());
        assertEquals("base born", CALLS.getFirst());
        assertEquals(
                List.of("base born", "derived born", "once"), CALLS.stream().sorted().toList());
    }

    @Test
    void created_thatFails_saysWhy() {
        Throwable cause =
                assertThrows(InvocationTargetException.class, () -> life.created(new Failing()))
                        .getCause();
        assertEquals("no", cause.getMessage());
    }

    @Test
    void destroyAll_endsEachOnceAndGoesOnAfterFailures() throws Exception {
        CALLS.clear();
        life.createdForGood(new Derived());
        life.createdForGood(new FailingEnd());
        life.createdForGood(new OfRequest());
        CALLS.clear();
        List<String> failures = new ArrayList<>();
        life.destroyAll((text, cause) -> failures.add(text + ": " + cause.getMessage()));
        life.destroyAll((text, cause) -> failures.add("again"));
        assertEquals(List.of("base dies"), CALLS);
        assertEquals(1, failures.size());
        assertTrue(failures.getFirst().contains("still here"), failures::toString);
    }

    /// What the descriptor names for a class goes before the annotations in that class alone.
    @Test
    void methods_namedByTheDescriptor_takeThePlaceOfAnnotatedOnes() throws Exception {
        CALLS.clear();
        ComponentLife named =
                new ComponentLife(
                        Injector.of(null),
                        new Beans(Beans.class.getClassLoader()),
                        new Callbacks(
                                Map.of(Named.class.getName(), "begin"),
                                Map.of(
                                        Named.class.getName(), "end",
                                        Quiet.class.getName(), "nowhere")));
        named.createdForGood(new Named());
        named.destroyAll((text, cause) -> CALLS.add(text));
        assertEquals(List.of("base born", "begins", "ends"), CALLS);
    }

    static class Quiet {
        @PostConstruct
        void born() {
            CALLS.add("base born");
        }

        @PreDestroy
        void dies() {
            CALLS.add("never");
        }
    }

    static final class Named extends Quiet {
        @PostConstruct
        void annotated() {
            CALLS.add("never");
        }

        private void begin() {
            CALLS.add("begins");
        }

        void end() {
            CALLS.add("ends");
        }
    }

    @Test
    void component_withoutAnnotations_isLeftAlone() throws Exception {
        Object plain = new Object();
        life.createdForGood(plain);
        assertSame(plain, plain);
        life.destroyAll((text, cause) -> assertEquals("", text));
    }
}
