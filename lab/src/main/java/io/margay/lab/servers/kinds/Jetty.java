package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import io.margay.lab.site.Certificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Jetty 12.1 from its distribution, with its defaults.
record Jetty(String variant, String title, String more) implements LabServer {
    private static final String VERSION = "12.1.8";
    private static final String FOLDER = "jetty-" + VERSION;
    private static final String HTTP2 = "http2";
    private static final String MODULES = "ee11-deploy,ee11-jsp,ee11-annotations";

    static List<LabServer> variants() {
        return List.of(
                new Jetty("pool", "Jetty 12.1", ""),
                new Jetty(HTTP2, "Jetty 12.1, with HTTP/2", ",http2,http2c"),
                new Jetty("virtual", "Jetty 12.1, virtual threads", ",threadpool-virtual"));
    }

    @Override
    public String name() {
        return "jetty:" + variant;
    }

    @Override
    public Set<Feature> features() {
        Set<Feature> features =
                EnumSet.of(
                        Feature.HTTP,
                        Feature.HTTPS,
                        Feature.JSP,
                        Feature.SERVLET,
                        Feature.WAR,
                        Feature.FILES);
        if (variant.equals(HTTP2)) {
            features.add(Feature.HTTP2);
            features.add(Feature.HTTP2_CLEAR);
        }
        return features;
    }

    @Override
    public Availability availability(LabEnvironment here) {
        return here.maven().availability(FOLDER, "Jetty " + VERSION);
    }

    @Override
    public void fetch(LabEnvironment here) throws IOException {
        home(here);
    }

    private static Path home(LabEnvironment here) throws IOException {
        return here.maven().unpacked(FOLDER, "org.eclipse.jetty:jetty-home:" + VERSION);
    }

    @Override
    public String version(LabEnvironment here) {
        return "Eclipse Jetty " + VERSION;
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        LabEnvironment here = setting.here();
        Path webapps = setting.folder().resolve("webapps");
        copy(setting.webapps(), webapps);
        Path temp = Files.createDirectories(setting.folder().resolve("temp"));
        Path start = Files.createDirectories(setting.folder().resolve("start.d"));
        Files.writeString(
                start.resolve("a-server.ini"),
                """
                --modules=http,https%s
                jetty.http.host=127.0.0.1
                jetty.http.port=%d
                jetty.ssl.host=127.0.0.1
                jetty.ssl.port=%d
                jetty.ssl.sniHostCheck=false
                jetty.sslContext.keyStorePath=%s
                jetty.sslContext.keyStorePassword=%s
                jetty.sslContext.keyStoreType=PKCS12
                """
                        .formatted(
                                more,
                                setting.http(),
                                setting.https(),
                                setting.certificate().store(),
                                Certificate.PASSWORD));
        // In a file of its own: what follows these modules belongs to their environment.
        Files.writeString(start.resolve("b-ee11.ini"), "--modules=" + MODULES + "\n");
        List<String> command = new ArrayList<>();
        command.add(here.java());
        command.addAll(here.javaOptions());
        command.addAll(
                List.of(
                        "-Djava.io.tmpdir=" + temp,
                        "-Djetty.home=" + home(here),
                        "-Djetty.base=" + setting.folder(),
                        "-jar",
                        home(here).resolve("start.jar").toString()));
        return List.of(
                new Tier("jetty", command, Map.of(), List.of(setting.http(), setting.https())));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
