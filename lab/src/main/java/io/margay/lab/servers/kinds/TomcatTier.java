package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The process of an Apache Tomcat that is configured in the folder of a setting.
final class TomcatTier {
    private TomcatTier() {}

    /// Makes the folders that every version needs, and copies files of its configuration.
    ///
    /// @param home where Tomcat was unpacked
    /// @param names of the files
    /// @return `conf`
    static Path base(Setting setting, Path home, String... names) throws IOException {
        Path conf = Files.createDirectories(setting.folder().resolve("conf"));
        Files.createDirectories(setting.folder().resolve("temp"));
        Files.createDirectories(setting.folder().resolve("logs"));
        for (String name : names) {
            Files.copy(
                    home.resolve("conf").resolve(name),
                    conf.resolve(name),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        return conf;
    }

    /// The file `server.xml` of version 9 and later.
    ///
    /// @param plain attributes of the HTTP connector
    /// @param tls attributes of the HTTPS connector
    /// @param listener of the server, or empty
    /// @param upgrade in both connectors, or empty
    static String server(
            Setting setting, String plain, String tls, String listener, String upgrade) {
        return """
        <Server port="-1">
          %s
          <Service name="Catalina">
            <Connector address="127.0.0.1" port="%d" %s
                       connectionTimeout="20000" maxKeepAliveRequests="-1">%s</Connector>
            <Connector address="127.0.0.1" port="%d" %s SSLEnabled="true"
                       scheme="https" secure="true"
                       connectionTimeout="20000" maxKeepAliveRequests="-1">
              %s
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
                        listener,
                        setting.http(),
                        plain,
                        upgrade,
                        setting.https(),
                        tls,
                        upgrade,
                        setting.certificate().pem(),
                        setting.certificate().key(),
                        setting.ajp(),
                        setting.secret(),
                        setting.route(),
                        setting.webapps());
    }

    /// @param home where Tomcat was unpacked
    /// @param options of the Java machine, beside those that every version needs
    static Tier of(Setting setting, Path home, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(setting.here().java());
        command.addAll(setting.here().javaOptions());
        command.addAll(options);
        command.addAll(
                List.of(
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.util.logging.config.file="
                                + setting.folder().resolve("conf/logging.properties"),
                        "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
                        "-Dcatalina.home=" + home,
                        "-Dcatalina.base=" + setting.folder(),
                        "-Djava.io.tmpdir=" + setting.folder().resolve("temp"),
                        "-cp",
                        home.resolve("bin/bootstrap.jar")
                                + File.pathSeparator
                                + home.resolve("bin/tomcat-juli.jar"),
                        "org.apache.catalina.startup.Bootstrap",
                        "start"));
        return new Tier(
                "tomcat",
                command,
                Map.of(),
                List.of(setting.http(), setting.https(), setting.ajp()));
    }
}
