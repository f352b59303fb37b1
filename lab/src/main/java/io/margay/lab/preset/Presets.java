package io.margay.lab.preset;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Every preset. Stateless.
public final class Presets {
    private Presets() {}

    /// All, in the order of the list.
    public static List<Preset> all() {
        List<Preset> all = new ArrayList<>();
        all.add(new FrontendsCpu());
        all.add(new FrontendsMax());
        all.add(new Heartbeat());
        all.add(new Fronts());
        all.add(new SiteVisits());
        all.add(new Fronts.FreshStart());
        all.add(new Connectors());
        all.add(new StaticPages());
        all.add(new NetworkHeavy());
        all.add(new SentFiles());
        all.add(new Compressed());
        all.add(new Compressed.Edge());
        all.add(new Http2());
        all.add(new Http2.OverQuic());
        all.addAll(Handshakes.variants());
        all.add(new Handshakes.Storms());
        all.add(new Boot());
        all.add(new Sessions());
        all.add(new Dispatch());
        all.add(new Limit());
        all.add(Mine.EXAMPLE);
        all.addAll(BeforeAfter.variants());
        all.addAll(SelfTest.all());
        return List.copyOf(all);
    }

    /// The preset of that name.
    ///
    /// @param own what `mine` asks for
    public static Optional<Preset> find(String name, Mine.Own own) {
        return name.equals(Mine.NAME) ? Optional.of(new Mine(own)) : find(name);
    }

    /// The preset of that name.
    public static Optional<Preset> find(String name) {
        return all().stream().filter(preset -> preset.name().equals(name)).findFirst();
    }

    public static List<String> names() {
        return all().stream().map(Preset::name).toList();
    }
}
