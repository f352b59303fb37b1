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

/// Tomcat 11 as distributed, but without access log, without the limit of 100 requests per
/// connection, and on our ports.
record Tomcat11(String variant, String title, String protocol, String connector, boolean production)
        implements LabServer {
    static final String VERSION = "11.0.24";
    static final String FOLDER = "tomcat-" + VERSION;
    static final List<String> OPENED =
            List.of(
                    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                    "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED");
    private static final String NIO = "org.apache.coyote.http11.Http11NioProtocol";
    private static final String NIO2 = "org.apache.coyote.http11.Http11Nio2Protocol";
    private static final String OPENSSL =
            "sslImplementationName="
                    + "\"org.apache.tomcat.util.net.openssl.panama.OpenSSLImplementation\"";
    private static final String HTTP2 = "http2";
    private static final String GZIP = "gzip";

    /// HAProxy says `https` of requests in clear text, too, which Tomcat refuses by itself.
    private static final String UPGRADE =
            "<UpgradeProtocol className=\"org.apache.coyote.http2.Http2Protocol\""
                    + " allowSchemeMismatch=\"true\"/>";

    private static final String JSP = "<servlet-class>org.apache.jasper.servlet.JspServlet";

    static List<LabServer> variants() {
        return List.of(
                new Tomcat11("nio", "Tomcat 11, NIO", NIO, "", false),
                new Tomcat11("production", "Tomcat 11, NIO, JSP not reloaded", NIO, "", true),
                new Tomcat11("nio2", "Tomcat 11, NIO2", NIO2, "", false),
                new Tomcat11(
                        "virtual",
                        "Tomcat 11, virtual threads",
                        NIO,
                        "useVirtualThreads=\"true\"",
                        false),
                new Tomcat11(HTTP2, "Tomcat 11, NIO, with HTTP/2", NIO, "", false),
                new Tomcat11(
                        GZIP,
                        "Tomcat 11, NIO, compression",
                        NIO,
                        "compression=\"on\" useSendfile=\"false\"",
                        false),
                new Tomcat11("openssl", "Tomcat 11, NIO, OpenSSL", NIO, OPENSSL, false));
    }

    @Override
    public String name() {
        return "tomcat:" + variant;
    }

    @Override
    public Set<Feature> features() {
        if (variant.equals(GZIP)) {
            return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.GZIP);
        }
        Set<Feature> features =
                EnumSet.of(
                        Feature.HTTP,
                        Feature.HTTPS,
                        Feature.JSP,
                        Feature.SERVLET,
                        Feature.WAR,
                        Feature.FILES,
                        Feature.AJP);
        if (variant.equals(HTTP2)) {
            features.add(Feature.HTTP2);
            features.add(Feature.HTTP2_CLEAR);
        }
        return features;
    }

    @Override
    public Availability availability(LabEnvironment here) {
        if (variant.equals("openssl") && !hasOpenSsl()) {
            return Availability.missing("apt install libssl3");
        }
        return here.maven().availability(FOLDER, "Tomcat " + VERSION);
    }

    private static boolean hasOpenSsl() {
        for (String folder : List.of("x86_64-linux-gnu", "aarch64-linux-gnu", "../lib64")) {
            if (Files.exists(Path.of("/usr/lib", folder, "libssl.so.3"))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void fetch(LabEnvironment here) throws IOException {
        home(here);
    }

    static Path home(LabEnvironment here) throws IOException {
        return here.maven().unpacked(FOLDER, "org.apache.tomcat:tomcat:" + VERSION);
    }

    @Override
    public String version(LabEnvironment here) {
        return "Apache Tomcat " + VERSION;
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        Path home = home(setting.here());
        Path conf = TomcatTier.base(setting, home, "logging.properties");
        Files.writeString(conf.resolve("web.xml"), web(home, production));
        Files.writeString(conf.resolve("server.xml"), server(setting));
        return List.of(TomcatTier.of(setting, home, OPENED));
    }

    /// The descriptor of all applications.
    ///
    /// @param production whether pages are not looked at again once they are compiled
    static String web(Path home, boolean production) throws IOException {
        String web = Files.readString(home.resolve("conf/web.xml"));
        if (!web.contains(JSP)) {
            throw new IOException("the JSP servlet is not where it was in " + home);
        }
        if (production) {
            String off =
                    """
                    <init-param>
                      <param-name>development</param-name><param-value>false</param-value>
                    </init-param>
                    """;
            int at =
                    web.indexOf("</servlet-class>", web.indexOf(JSP)) + "</servlet-class>".length();
            web = web.substring(0, at) + off + web.substring(at);
        }
        return web;
    }

    private String server(Setting setting) {
        String listener =
                variant.equals("openssl")
                        ? "<Listener className="
                                + "\"org.apache.catalina.core.OpenSSLLifecycleListener\"/>"
                        : "";
        String http =
                "protocol=\"%s\" %s"
                        .formatted(protocol, variant.equals("openssl") ? "" : connector);
        String https = "protocol=\"%s\" %s".formatted(protocol, connector);
        return TomcatTier.server(
                setting, http, https, listener, variant.equals(HTTP2) ? UPGRADE : "");
    }
}
