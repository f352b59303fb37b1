package io.margay.servlet.descriptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.xml.DescriptorException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The examples of Servlet 6.1 §8.2.2 and what goes beyond them.
class FragmentOrderTest {
    /// `spec`: words such as `<B` (before B), `>C` (after C), `<*`, `>*`.
    private static FragmentOrder.Fragment fragment(String name, String... spec) {
        Set<String> before = new HashSet<>();
        Set<String> after = new HashSet<>();
        for (String word : spec) {
            (word.charAt(0) == '<' ? before : after).add(word.substring(1));
        }
        Ordering ordering =
                spec.length == 0
                        ? null
                        : new Ordering(
                                without(before),
                                before.contains("*"),
                                without(after),
                                after.contains("*"));
        return new FragmentOrder.Fragment(name + ".jar", name.isEmpty() ? null : name, ordering);
    }

    private static Set<String> without(Set<String> names) {
        Set<String> rest = new HashSet<>(names);
        rest.remove("*");
        return rest;
    }

    private static String order(FragmentOrder.Fragment... fragments) {
        return String.join(
                " ",
                FragmentOrder.order(List.of(fragments), null).jars().stream()
                        .map(jar -> jar.equals(".jar") ? "-" : jar.replace(".jar", ""))
                        .toList());
    }

    private static String failure(FragmentOrder.Fragment... fragments) {
        return assertThrows(
                        DescriptorException.class,
                        () -> FragmentOrder.order(List.of(fragments), null))
                .getMessage();
    }

    @Test
    void relative_firstExampleOfTheSpecification_isAsThere() {
        assertEquals(
                "F B D E C A",
                order(
                        fragment("A", ">*", ">C"),
                        fragment("B", "<*"),
                        fragment("C", ">*"),
                        fragment("D"),
                        fragment("E"),
                        fragment("F", "<*", "<B")));
    }

    @Test
    void relative_secondExampleOfTheSpecification_isOneOfThose() {
        String order =
                order(
                        fragment("", ">*", "<C"),
                        fragment("B", "<*"),
                        fragment("C"),
                        fragment("D", ">*"),
                        fragment("E", "<*"),
                        fragment("F"));
        assertTrue(
                Set.of(
                                "B E F - C D",
                                "B E F - D C",
                                "E B F - C D",
                                "E B F - D C",
                                "E B F D - C",
                                "B E F D - C")
                        .contains(order),
                order);
    }

    @Test
    void relative_thirdExampleOfTheSpecification_isOneOfThose() {
        String order =
                order(fragment("A", ">B"), fragment("B"), fragment("C", "<*"), fragment("D"));
        assertTrue(Set.of("C B D A", "C D B A", "C B A D").contains(order), order);
    }

    @Test
    void absolute_exampleOfTheSpecification_leavesOthersInTheirPlace() {
        List<FragmentOrder.Fragment> all =
                List.of(fragment("A"), fragment("B"), fragment("C"), fragment("D"), fragment(""));
        AbsoluteOrdering absolute =
                new AbsoluteOrdering(List.of("C", AbsoluteOrdering.OTHERS, "A"));
        assertEquals(
                List.of("C.jar", "B.jar", "D.jar", ".jar", "A.jar"),
                FragmentOrder.order(all, absolute).jars());
    }

    @Test
    void absolute_withoutOthers_leavesThemOut() {
        List<FragmentOrder.Fragment> all = List.of(fragment("A"), fragment("B"), fragment(""));
        FragmentOrder.Result result =
                FragmentOrder.order(all, new AbsoluteOrdering(List.of("B", "Z")));
        assertEquals(List.of("B.jar"), result.jars());
        assertTrue(result.ordered());
    }

    @Test
    void absolute_empty_leavesAllOut() {
        assertEquals(
                List.of(),
                FragmentOrder.order(List.of(fragment("A")), new AbsoluteOrdering(List.of()))
                        .jars());
    }

    @Test
    void order_notAskedFor_isAsGiven() {
        FragmentOrder.Result result =
                FragmentOrder.order(List.of(fragment("B"), fragment("A")), null);
        assertEquals(List.of("B.jar", "A.jar"), result.jars());
        assertFalse(result.ordered());
    }

    @Test
    void cycle_ofThree_isNamed() {
        String message = failure(fragment("A", ">C"), fragment("B", ">A"), fragment("C", ">B"));
        for (String part : List.of("A (A.jar)", "B (B.jar)", "C (C.jar)", "cycle", "before")) {
            assertTrue(message.contains(part), message);
        }
    }

    @Test
    void contradiction_ofGroups_isNamed() {
        String message = failure(fragment("A", ">*", "<B"), fragment("B", "<*"));
        assertTrue(message.contains("A (A.jar)") && message.contains("B (B.jar)"), message);
    }

    @Test
    void name_twice_isNamedWithBothLibraries() {
        FragmentOrder.Fragment other =
                new FragmentOrder.Fragment(
                        "z.jar", "A", new Ordering(Set.of(), true, Set.of(), false));
        String message = failure(fragment("A"), other);
        assertTrue(message.contains("A.jar") && message.contains("z.jar"), message);
    }

    @Test
    void reference_toAnAbsentFragment_isIgnored() {
        assertEquals("A B", order(fragment("A", ">Nobody"), fragment("B")));
    }

    /// Whatever comes out obeys what went in.
    @Test
    void relative_randomConstraints_areObeyedOrRefused() {
        long seed = 20_260_101L;
        Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < 500; round++) {
            List<FragmentOrder.Fragment> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                List<String> spec = new ArrayList<>();
                for (int j = 0; j < 6; j++) {
                    if (j != i && random.nextInt(9) == 0) {
                        spec.add((random.nextBoolean() ? "<" : ">") + "n" + j);
                    }
                }
                if (random.nextInt(6) == 0) {
                    spec.add(random.nextBoolean() ? "<*" : ">*");
                }
                all.add(fragment("n" + i, spec.toArray(String[]::new)));
            }
            try {
                check(all, FragmentOrder.order(all, null).jars(), "seed " + seed + ": " + all);
            } catch (DescriptorException e) {
                refused++;
                assertTrue(e.getMessage().contains("absolute-ordering"));
            }
        }
        assertTrue(refused > 0 && refused < 400, "refused " + refused);
    }

    private static void check(List<FragmentOrder.Fragment> all, List<String> jars, String message) {
        assertEquals(all.size(), Set.copyOf(jars).size(), message);
        for (FragmentOrder.Fragment fragment : all) {
            Ordering ordering = fragment.ordering();
            int at = jars.indexOf(fragment.jar());
            if (ordering != null) {
                ordering.before()
                        .forEach(name -> assertTrue(at < jars.indexOf(name + ".jar"), message));
                ordering.after()
                        .forEach(name -> assertTrue(at > jars.indexOf(name + ".jar"), message));
            }
        }
    }
}
