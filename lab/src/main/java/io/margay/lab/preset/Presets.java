package io.margay.lab.preset;

import java.util.List;
import java.util.Optional;

/// Every preset. Stateless.
public final class Presets {
    private Presets() {}

    /// All, in the order of the list.
    public static List<Preset> all() {
        return List.of(new Heartbeat());
    }

    public static Optional<Preset> find(String name) {
        return all().stream().filter(preset -> preset.name().equals(name)).findFirst();
    }

    public static List<String> names() {
        return all().stream().map(Preset::name).toList();
    }
}
