package io.margay.lab.servers;

import io.margay.lab.machine.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Margay itself, with one of its transports.
record MargayServer(String transport) implements LabServer {
    static List<LabServer> variants() {
        return List.of(
                new MargayServer("native"), new MargayServer("nio"), new MargayServer("blocking"));
    }

    @Override
    public String name() {
        return "margay:" + transport;
    }

    @Override
    public String title() {
        return "Margay, " + transport;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(
                Feature.HTTP,
                Feature.HTTPS,
                Feature.HTTP2,
                Feature.HTTP2_CLEAR,
                Feature.JSP,
                Feature.SERVLET,
                Feature.WAR,
                Feature.FILES,
                Feature.AJP);
    }

    @Override
    public Availability availability(Surroundings surroundings) {
        return Files.isExecutable(surroundings.home().resolve("margay"))
                ? Availability.HERE
                : Availability.missing("no margay in " + surroundings.home());
    }

    @Override
    public String version(Surroundings surroundings) throws IOException {
        return versionOf(surroundings);
    }

    static String versionOf(Surroundings surroundings) throws IOException {
        return Tools.run(
                        List.of(surroundings.home().resolve("margay").toString(), "version"),
                        surroundings.home())
                .lines()
                .findFirst()
                .orElse("");
    }

    /// What `./margay` is told beside its arguments.
    static Map<String, String> environment(Surroundings surroundings) {
        return Map.of(
                "MARGAY_JAVA_HOME", surroundings.javaHome().toString(),
                "MARGAY_JAVA_OPTS", String.join(" ", surroundings.javaOptions()),
                "MARGAY_NO_BUILD", "1");
    }

    @Override
    public List<Tier> prepare(Setting setting) {
        Surroundings here = setting.surroundings();
        List<String> command =
                List.of(
                        here.home().resolve("margay").toString(),
                        "run",
                        "--http",
                        "127.0.0.1:" + setting.http(),
                        "--https",
                        "127.0.0.1:" + setting.https(),
                        "--cert",
                        setting.certificate().pem().toString(),
                        "--key",
                        setting.certificate().key().toString(),
                        "--ajp",
                        "127.0.0.1:" + setting.ajp(),
                        "--ajp-secret",
                        setting.secret(),
                        "--transport",
                        transport,
                        "--work",
                        setting.folder().resolve("work").toString(),
                        setting.webapps().toString());
        return List.of(
                new Tier(
                        "margay",
                        command,
                        environment(here),
                        List.of(setting.http(), setting.https(), setting.ajp())));
    }
}
