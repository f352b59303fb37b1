package io.margay.lab.preset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.servers.Feature;
import io.margay.lab.servers.kinds.Catalog;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every preset can be run as it stands: its servers exist, and have what is asked for.
final class PresetsTest {
    private static final Catalog CATALOG = Catalog.all();

    static List<Preset> presets() {
        return Presets.all();
    }

    @Test
    void presets_haveDifferentNames() {
        assertEquals(Presets.names().size(), new HashSet<>(Presets.names()).size());
    }

    @ParameterizedTest
    @MethodSource("presets")
    void scenarios_haveDifferentNames_andSomeBelongToTheirPage(Preset preset) {
        List<String> ids = preset.scenarios().stream().map(Scenario::id).toList();
        assertEquals(ids.size(), new HashSet<>(ids).size(), ids.toString());
        assertTrue(ids.stream().anyMatch(preset::isMain), ids.toString());
        assertTrue(preset.scenarios().stream().anyMatch(Scenario::quick), ids.toString());
    }

    @ParameterizedTest
    @MethodSource("presets")
    void servers_existAndTheReferenceHasThePage(Preset preset) {
        for (Scenario scenario : preset.scenarios()) {
            assertTrue(scenario.servers().contains(scenario.reference()), scenario.id());
            for (String name : scenario.servers()) {
                Set<Feature> features = CATALOG.spec(name).features();
                String where = scenario.id() + ": " + name;
                boolean needed = name.equals(scenario.reference()) || isOurs(name);
                assertTrue(!needed || scenario.page().path(features).isPresent(), where);
                assertTrue(
                        scenario.beside().isEmpty()
                                || scenario.beside().get().page().path(features).isPresent(),
                        where);
            }
        }
    }

    private static boolean isOurs(String server) {
        return server.startsWith("margay") || server.startsWith("before");
    }

    /// A bare server says nothing of front ends, whatever the scenario is called.
    @Test
    void namedServers_areMeasuredInScenariosOfTheirKindAlone() {
        Preset heartbeat = new Heartbeat();
        List<String> named = List.of("margay:nio", "httpd:mod_jk/tomcat:nio");
        Map<String, List<String>> measured = new TreeMap<>();
        for (Scenario scenario : heartbeat.scenarios()) {
            heartbeat.with(scenario, named).ifPresent(one -> measured.put(one.id(), one.servers()));
        }
        List<String> front = List.of("httpd:mod_jk/tomcat:nio");
        assertEquals(
                Map.of("direct", List.of("margay:nio"), "fronts", front, "fronts-https", front),
                measured);
    }
}
