package io.margay.lab.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Margay's gateway in front of another server, over HTTP or AJP.
///
/// @param protocol of its members' addresses
record Gateway(String protocol) implements LabServer {
    static List<LabServer> variants() {
        return List.of(new Gateway("http"), new Gateway("ajp"));
    }

    @Override
    public String name() {
        return "gateway:" + protocol;
    }

    @Override
    public String title() {
        return "Margay gateway, " + (protocol.equals("ajp") ? "AJP" : "HTTP");
    }

    @Override
    public boolean isFront() {
        return true;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.HTTP2, Feature.HTTP2_CLEAR);
    }

    @Override
    public Availability availability(Surroundings surroundings) {
        return Files.isExecutable(surroundings.home().resolve("margay"))
                ? Availability.HERE
                : Availability.missing("no margay in " + surroundings.home());
    }

    @Override
    public String version(Surroundings surroundings) throws IOException {
        return MargayServer.versionOf(surroundings);
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        Surroundings here = setting.surroundings();
        StringBuilder members = new StringBuilder();
        for (Setting back : setting.backs()) {
            members.append(
                    protocol.equals("ajp")
                            ? "      - {url: \"ajp://127.0.0.1:%d\", secret: %s, route: %s}%n"
                                    .formatted(back.ajp(), back.secret(), back.route())
                            : "      - {url: \"http://127.0.0.1:%d\", route: %s}%n"
                                    .formatted(back.http(), back.route()));
        }
        Path file =
                Files.writeString(
                        setting.folder().resolve("margay.yaml"),
                        """
                        listeners:
                          - http: 127.0.0.1:%d
                          - https: 127.0.0.1:%d
                            certificates: [{cert: %s, key: %s}]
                        hosts:
                          - routes:
                              /*: {gateway: lab}
                        upstreams:
                          lab:
                            members:
                        %s\
                        """
                                .formatted(
                                        setting.http(),
                                        setting.https(),
                                        setting.certificate().pem(),
                                        setting.certificate().key(),
                                        members));
        return List.of(
                new Tier(
                        "gateway",
                        List.of(
                                here.home().resolve("margay").toString(),
                                "run",
                                file.toString(),
                                "--work",
                                setting.folder().resolve("work").toString()),
                        MargayServer.environment(here),
                        List.of(setting.http(), setting.https())));
    }
}
