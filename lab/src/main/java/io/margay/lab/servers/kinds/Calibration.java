package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Surroundings;
import io.margay.lab.servers.Tier;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The server of known cost as a plug-in: as it is, twice under two names, and with 10 % more.
record Calibration(String variant, int extraPercent) implements LabServer {
    static List<LabServer> variants() {
        return List.of(
                new Calibration("a", 0), new Calibration("b", 0), new Calibration("plus10", 10));
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
    public Availability availability(Surroundings surroundings) {
        return Availability.HERE;
    }

    @Override
    public String version(Surroundings surroundings) {
        return "of this lab";
    }

    @Override
    public List<Tier> prepare(Setting setting) {
        List<String> command = command(setting, String.valueOf(extraPercent));
        return List.of(new Tier("known", command, Map.of(), List.of(setting.http())));
    }

    /// Starts a [CalibrationServer], with what it takes behind the port.
    static List<String> command(Setting setting, String... arguments) {
        Surroundings here = setting.surroundings();
        List<String> command = new ArrayList<>();
        command.add(here.java());
        command.addAll(here.javaOptions());
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        CalibrationServer.class.getName(),
                        String.valueOf(setting.http())));
        command.addAll(List.of(arguments));
        return command;
    }
}
