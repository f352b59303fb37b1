package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import io.margay.lab.site.Certificate;
import io.margay.lab.site.LabApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tomcat 7, the last with a blocking connector and with one by APR. It runs on today's JDK, whose
/// classes its JSP compiler cannot read, so that its heartbeat page is a servlet.
record Tomcat7(String variant, String title, String protocol) implements LabServer {
    private static final String VERSION = "7.0.109";
    private static final String FOLDER = "tomcat-" + VERSION;
    private static final String APR = "apr";

    static List<LabServer> variants() {
        return List.of(
                new Tomcat7("bio", "Tomcat 7, BIO", "org.apache.coyote.http11.Http11Protocol"),
                new Tomcat7("nio", "Tomcat 7, NIO", "org.apache.coyote.http11.Http11NioProtocol"),
                new Tomcat7(APR, "Tomcat 7, APR", "org.apache.coyote.http11.Http11AprProtocol"));
    }

    @Override
    public String name() {
        return "tomcat7:" + variant;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.SERVLET, Feature.FILES, Feature.AJP);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        if (variant.equals(APR) && nativeFolder().isEmpty()) {
            return Availability.missing("apt install libtcnative-1");
        }
        return here.maven().availability(FOLDER, "Tomcat " + VERSION);
    }

    private static Optional<Path> nativeFolder() {
        return List.of("x86_64-linux-gnu", "aarch64-linux-gnu").stream()
                .map(it -> Path.of("/usr/lib", it))
                .filter(it -> Files.exists(it.resolve("libtcnative-1.so")))
                .findFirst();
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
        Path app = setting.folder().resolve("webapps/lab");
        LabApp.makeJavax(app, home.resolve("lib/servlet-api.jar"));
        Files.writeString(conf.resolve("server.xml"), server(setting));
        List<String> options =
                variant.equals(APR)
                        ? List.of("-Djava.library.path=" + nativeFolder().orElseThrow())
                        : List.of();
        return List.of(TomcatTier.of(setting, home, options));
    }

    private String server(Setting setting) {
        Certificate certificate = setting.certificate();
        String tls =
                variant.equals(APR)
                        ? "SSLCertificateFile=\"%s\" SSLCertificateKeyFile=\"%s\""
                                .formatted(certificate.pem(), certificate.key())
                        : "keystoreFile=\"%s\" keystorePass=\"%s\" keystoreType=\"PKCS12\""
                                .formatted(certificate.store(), Certificate.PASSWORD);
        String listener =
                variant.equals(APR)
                        ? "<Listener className=\"org.apache.catalina.core.AprLifecycleListener\""
                                + " SSLEngine=\"on\"/>"
                        : "";
        return """
        <Server port="-1">
          %s
          <Service name="Catalina">
            <Connector address="127.0.0.1" port="%d" protocol="%s"
                       connectionTimeout="20000" maxKeepAliveRequests="-1"/>
            <Connector address="127.0.0.1" port="%d" protocol="%s" SSLEnabled="true"
                       scheme="https" secure="true" %s
                       connectionTimeout="20000" maxKeepAliveRequests="-1"/>
            <Connector address="127.0.0.1" port="%d" protocol="AJP/1.3" secret="%s"/>
            <Engine name="Catalina" defaultHost="localhost" jvmRoute="%s">
              <Host name="localhost" appBase="webapps" autoDeploy="false">
                <Context path="/pages" docBase="%s"/>
              </Host>
            </Engine>
          </Service>
        </Server>
        """
                .formatted(
                        listener,
                        setting.http(),
                        protocol,
                        setting.https(),
                        protocol,
                        tls,
                        setting.ajp(),
                        setting.secret(),
                        setting.route(),
                        setting.webapps().resolve("pages"));
    }
}
