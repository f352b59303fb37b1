package io.margay.lab.servers.kinds;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// h2o with one thread, for files.
record H2o() implements LabServer {
    static List<LabServer> variants() {
        return List.of(new H2o());
    }

    @Override
    public String name() {
        return "h2o";
    }

    @Override
    public String title() {
        return "h2o";
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(
                Feature.HTTP, Feature.HTTPS, Feature.HTTP2, Feature.HTTP2_CLEAR, Feature.FILES);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        return here.tools().find("h2o").isPresent()
                ? Availability.HERE
                : Availability.missing("apt install h2o");
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        return Tools.firstLine(here.tools().get("h2o").toString(), "--version");
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        Path conf =
                Files.writeString(
                        setting.folder().resolve("h2o.yaml"),
                        """
                        num-threads: 1
                        user: %s
                        listen: {host: 127.0.0.1, port: %d}
                        listen:
                          host: 127.0.0.1
                          port: %d
                          ssl: {certificate-file: %s, key-file: %s}
                        hosts: {default: {paths: {/: {file.dir: %s}}}}
                        """
                                .formatted(
                                        System.getProperty("user.name"),
                                        setting.http(),
                                        setting.https(),
                                        setting.certificate().pem(),
                                        setting.certificate().key(),
                                        setting.webapps()));
        return List.of(
                new Tier(
                        "h2o",
                        List.of(
                                setting.here().tools().get("h2o").toString(),
                                "-m",
                                "worker",
                                "-c",
                                conf.toString()),
                        Map.of(),
                        List.of(setting.http(), setting.https())));
    }
}
