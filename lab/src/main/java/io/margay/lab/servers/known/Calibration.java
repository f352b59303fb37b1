package io.margay.lab.servers.known;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The server of known cost as a plug-in: as it is, twice under two names, with 10 % more, and with
/// a fixed cost.
///
/// @param micros of CPU time for each request in place of the extra cost; 0 for that
public record Calibration(String variant, int extraPercent, int micros) implements LabServer {
    public static List<LabServer> variants() {
        return List.of(
                new Calibration("a", 0, 0),
                new Calibration("b", 0, 0),
                new Calibration("plus10", 10, 0));
    }

    /// One that is busy all the time, so that every client that measures rightly sees the same
    /// rate. In no list: it is no peer of another server.
    public static Calibration ofFixedCost(int micros) {
        return new Calibration(micros + "us", 0, micros);
    }

    @Override
    public String name() {
        return "known:" + variant;
    }

    @Override
    public String title() {
        return "server of known cost" + (extraPercent == 0 ? ", " + variant : ", 10 % more");
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.KNOWN);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        return Availability.HERE;
    }

    @Override
    public String version(LabEnvironment here) {
        return "of this lab";
    }

    @Override
    public List<Tier> prepare(Setting setting) {
        LabEnvironment here = setting.here();
        List<String> command = new ArrayList<>();
        command.add(here.java());
        command.addAll(here.javaOptions());
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        CalibrationServer.class.getName(),
                        String.valueOf(setting.http()),
                        String.valueOf(extraPercent)));
        if (micros > 0) {
            command.add(String.valueOf(micros));
        }
        return List.of(new Tier("known", command, Map.of(), List.of(setting.http())));
    }
}
