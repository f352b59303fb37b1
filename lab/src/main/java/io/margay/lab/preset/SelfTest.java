package io.margay.lab.preset;

import io.margay.lab.load.LoadJob;
import java.util.List;

/// A test of the lab itself: servers whose difference is known. `margay lab trials` runs it many
/// times over.
public record SelfTest(String name, String title, String server) implements Preset {
    static List<Preset> all() {
        return List.of(
                new SelfTest("aa", "a test of the lab: the same server twice", "known:b"),
                new SelfTest(
                        "ten", "a test of the lab: 10 % more CPU per request", "known:plus10"));
    }

    /// The names of all, in words.
    public static String names() {
        return String.join(", ", all().stream().map(Preset::name).toList());
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                Scenario.of(
                                name,
                                LoadJob.closed(100, false, true),
                                Page.KNOWN,
                                List.of("known:a", server),
                                "known:a")
                        .withTitle(title));
    }
}
