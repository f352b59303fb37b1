package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The process of an Apache Tomcat that is configured in the folder of a setting.
final class TomcatTier {
    private TomcatTier() {}

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
