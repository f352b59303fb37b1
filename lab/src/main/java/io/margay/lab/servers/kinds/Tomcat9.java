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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Tomcat 9, the last for `javax` applications, as distributed but for what [Tomcat11] changes. The
/// example applications are none of these; it serves them as files.
record Tomcat9() implements LabServer {
    private static final String VERSION = "9.0.117";
    private static final String FOLDER = "tomcat-" + VERSION;
    private static final String NIO = "protocol=\"org.apache.coyote.http11.Http11NioProtocol\"";

    static List<LabServer> variants() {
        return List.of(new Tomcat9());
    }

    @Override
    public String name() {
        return "tomcat9:nio";
    }

    @Override
    public String title() {
        return "Tomcat 9, NIO";
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.FILES);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        return here.maven().availability(FOLDER, "Tomcat " + VERSION);
    }

    @Override
    public void fetch(LabEnvironment here) throws IOException {
        home(here);
    }

    private static Path home(LabEnvironment here) throws IOException {
        return here.maven().unpacked(FOLDER, "org.apache.tomcat:tomcat:" + VERSION);
    }

    @Override
    public String version(LabEnvironment here) {
        return "Apache Tomcat " + VERSION;
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        Path home = home(setting.here());
        Path conf = TomcatTier.base(setting, home, "logging.properties", "web.xml");
        Files.writeString(conf.resolve("server.xml"), TomcatTier.server(setting, NIO, NIO, "", ""));
        return List.of(TomcatTier.of(setting, home, List.of()));
    }
}
