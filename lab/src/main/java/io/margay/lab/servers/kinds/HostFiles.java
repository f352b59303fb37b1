package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Surroundings;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Margay with the files of one host and nothing else, for connections that are held; it closes
/// none of them for being idle. In no list: it is no peer of another server.
///
/// @param tls `openssl` or `jsse`
public record HostFiles(String transport, String tls) implements LabServer {
    @Override
    public String name() {
        return "margay:" + transport + "-" + tls;
    }

    @Override
    public String title() {
        return "Margay, " + transport + ", " + tls;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.FILES);
    }

    @Override
    public Availability availability(Surroundings surroundings) {
        return Build.HERE.availability(surroundings);
    }

    @Override
    public String version(Surroundings surroundings) throws IOException {
        return Build.HERE.version(surroundings);
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        Path file =
                Files.writeString(
                        setting.folder().resolve("margay.yaml"),
                        """
                        listeners:
                          - http: 127.0.0.1:%d
                            transport: %s
                          - https: 127.0.0.1:%d
                            transport: %s
                            tls: %s
                            certificates: [{cert: %s, key: %s}]
                        limits: {connection: {idle-timeout: 10m}}
                        hosts:
                          - routes: {/*: {files: %s}}
                        work: %s
                        """
                                .formatted(
                                        setting.http(),
                                        transport,
                                        setting.https(),
                                        transport,
                                        tls,
                                        setting.certificate().pem(),
                                        setting.certificate().key(),
                                        setting.webapps(),
                                        setting.folder().resolve("work")));
        return List.of(MargayServer.tier(setting, file, List.of(setting.http(), setting.https())));
    }
}
