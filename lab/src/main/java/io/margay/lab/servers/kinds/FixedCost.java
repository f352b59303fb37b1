package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Surroundings;
import io.margay.lab.servers.Tier;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A server that burns the same CPU time for each request, so that it is busy all the time and
/// every client that measures rightly sees the same rate. In no list: it is no peer of another
/// server.
///
/// @param micros of CPU time
public record FixedCost(int micros) implements LabServer {
    @Override
    public String name() {
        return "fixed:" + micros;
    }

    @Override
    public String title() {
        return "server of " + micros + " µs per request";
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.KNOWN);
    }

    @Override
    public Availability availability(Surroundings surroundings) {
        return Availability.HERE;
    }

    @Override
    public String version(Surroundings surroundings) {
        return "of this lab";
    }

    @Override
    public List<Tier> prepare(Setting setting) {
        return List.of(
                new Tier(
                        "fixed",
                        Calibration.command(setting, "0", String.valueOf(micros)),
                        Map.of(),
                        List.of(setting.http())));
    }
}
