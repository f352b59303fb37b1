package io.margay.lab.servers.kinds;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

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
    private static final String NIO = "org.apache.coyote.http11.Http11NioProtocol";

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
        Path conf = Files.createDirectories(setting.folder().resolve("conf"));
        Files.createDirectories(setting.folder().resolve("temp"));
        Files.createDirectories(setting.folder().resolve("logs"));
        for (String name : List.of("logging.properties", "web.xml")) {
            Files.copy(home.resolve("conf").resolve(name), conf.resolve(name), REPLACE_EXISTING);
        }
        String server =
                """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector address="127.0.0.1" port="%d" protocol="%s"
                               connectionTimeout="20000" maxKeepAliveRequests="-1"/>
                    <Connector address="127.0.0.1" port="%d" protocol="%s" SSLEnabled="true"
                               scheme="https" secure="true"
                               connectionTimeout="20000" maxKeepAliveRequests="-1">
                      <SSLHostConfig>
                        <Certificate certificateFile="%s" certificateKeyFile="%s"/>
                      </SSLHostConfig>
                    </Connector>
                    <Connector address="127.0.0.1" port="%d" protocol="AJP/1.3" secret="%s"/>
                    <Engine name="Catalina" defaultHost="localhost" jvmRoute="%s">
                      <Host name="localhost" appBase="%s" autoDeploy="false"/>
                    </Engine>
                  </Service>
                </Server>
                """
                        .formatted(
                                setting.http(),
                                NIO,
                                setting.https(),
                                NIO,
                                setting.certificate().pem(),
                                setting.certificate().key(),
                                setting.ajp(),
                                setting.secret(),
                                setting.route(),
                                setting.webapps());
        Files.writeString(conf.resolve("server.xml"), server);
        return List.of(TomcatTier.of(setting, home, List.of()));
    }
}
