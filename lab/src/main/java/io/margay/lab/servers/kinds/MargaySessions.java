package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Margay with the lab's own application, whose sessions are kept somewhere.
///
/// @param settings what its configuration says of sessions beside where the engine is
record MargaySessions(String variant, String title, SessionEngine engine, String settings)
        implements ThisMargay {
    private static final String KEY = "known to all who can read how the lab does it";

    static List<LabServer> variants() {
        return List.of(
                new MargaySessions("memory", "Margay, in memory", SessionEngine.NONE, ""),
                valkey("valkey", "written before the response", ""),
                valkey("valkey-after", "written after the response", ", write: after"),
                valkey("valkey-lazily", "written within a second", ", write: lazily"),
                valkey("valkey-sticky", "with sticky clients", ", route: lab, sticky: true"),
                new MargaySessions("jdbc", "Margay, in H2", SessionEngine.H2, ""));
    }

    private static LabServer valkey(String variant, String how, String settings) {
        return new MargaySessions(
                variant, "Margay, in Valkey, " + how, SessionEngine.VALKEY, settings);
    }

    @Override
    public String name() {
        return "session:" + variant;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.SESSION);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        Availability found = engine.availability(here);
        return found.ready() ? ThisMargay.super.availability(here) : found;
    }

    @Override
    public List<Integer> ports(Setting setting) {
        return List.of(setting.http());
    }

    @Override
    public String configuration(Setting setting) {
        return """
        listeners:
          - http: 127.0.0.1:%d
        hosts:
          - routes: {/lab: {app: %s}}
        work: %s
        %s
        """
                .formatted(
                        setting.http(),
                        setting.webapps().resolve("lab"),
                        setting.folder().resolve("work"),
                        sessions(setting));
    }

    private String sessions(Setting setting) {
        return switch (engine) {
            case NONE -> "";
            case VALKEY ->
                    "sessions: {store: valkey, url: \"redis://127.0.0.1:%d\", key: %s%s}"
                            .formatted(setting.ajp(), KEY, settings);
            case H2 ->
                    """
                    sessions: {store: jdbc, url: "%s;USER=sa", key: %s%s}
                    deploy: {libraries: %s}
                    """
                            .formatted(
                                    SessionEngine.url(setting),
                                    KEY,
                                    settings,
                                    setting.folder().resolve("libraries"));
        };
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        if (engine == SessionEngine.H2) {
            Path libraries = Files.createDirectories(setting.folder().resolve("libraries"));
            Files.copy(SessionEngine.driver(setting.here()), libraries.resolve("h2.jar"));
        }
        List<Tier> tiers = new ArrayList<>();
        engine.tier(setting).ifPresent(tiers::add);
        tiers.addAll(ThisMargay.super.prepare(setting));
        return tiers;
    }
}
