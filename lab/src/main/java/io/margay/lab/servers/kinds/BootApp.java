package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import io.margay.lab.site.JavaCompiler;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// A small application of Spring Boot, always the same, on one of the servers that Spring Boot
/// embeds. It runs from a class path, as `java -Djarmode=tools -jar shop.jar extract` lays it out.
///
/// @param variant the server
/// @param boot the version of Spring Boot
/// @param artifacts the server's starter; for Margay, whose starter is that of this checkout, what
///   that needs of Spring Boot
/// @param more words for the command line of the application
record BootApp(
        String variant,
        String title,
        String boot,
        List<String> artifacts,
        List<String> options,
        List<String> more)
        implements LabServer {
    private static final String MARGAY = "margay";

    /// The same with another transport than the starter's own choice.
    private static final String MARGAY_NATIVE = "margay-native";

    private static final String BOOT = "4.1.1";

    /// The last line that has Undertow, and its Spring.
    private static final String BOOT_BEFORE = "3.5.16";

    private static final String SPRING_BEFORE = "6.2.19";

    private static final String GROUP = "org.springframework.boot:";
    private static final String SOURCE = "Shop.txt";
    private static final String NAME = "Shop";

    /// What all of them can run.
    private static final int RELEASE = 17;

    BootApp {
        artifacts = List.copyOf(artifacts);
        options = List.copyOf(options);
        more = List.copyOf(more);
    }

    static List<LabServer> variants() {
        return List.of(
                new BootApp(
                        MARGAY,
                        "Spring Boot 4.1 on Margay",
                        BOOT,
                        List.of("spring-boot-web-server"),
                        List.of("--enable-native-access=ALL-UNNAMED"),
                        List.of()),
                new BootApp(
                        MARGAY_NATIVE,
                        "Spring Boot 4.1 on Margay, transport native",
                        BOOT,
                        List.of("spring-boot-web-server"),
                        List.of("--enable-native-access=ALL-UNNAMED"),
                        List.of("--server.margay.transport=native")),
                new BootApp(
                        "tomcat",
                        "Spring Boot 4.1 on Tomcat",
                        BOOT,
                        List.of("spring-boot-starter-tomcat"),
                        List.of(),
                        List.of("--server.tomcat.max-keep-alive-requests=-1")),
                new BootApp(
                        "jetty",
                        "Spring Boot 4.1 on Jetty",
                        BOOT,
                        List.of("spring-boot-starter-jetty"),
                        List.of(),
                        List.of()),
                new BootApp(
                        "undertow",
                        "Spring Boot 3.5 on Undertow",
                        BOOT_BEFORE,
                        List.of("spring-boot-starter-undertow"),
                        List.of(),
                        List.of()));
    }

    @Override
    public String name() {
        return "boot:" + variant;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.BOOT);
    }

    private boolean isMargay() {
        return variant.startsWith(MARGAY);
    }

    /// The jars of the starter and of what it needs, but for Spring, as the build has made them.
    private static Path starter(LabEnvironment here) {
        return here.home().resolve("embedding/spring-boot/target/lib");
    }

    private String folder() {
        return "boot-" + boot + "-" + (isMargay() ? MARGAY : variant);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        if (isMargay() && !Files.isDirectory(starter(here))) {
            return Availability.missing("its starter is that of a checkout: \"make build\"");
        }
        return here.maven().availability(folder(), "Spring Boot " + boot);
    }

    /// Also compiles the application.
    @Override
    public void fetch(LabEnvironment here) throws IOException {
        Path classes = classes(here);
        if (!Files.isDirectory(classes)) {
            Path fresh = Files.createTempDirectory(here.peers(), "compile-");
            JavaCompiler.compile(NAME, source(), libraries(here), RELEASE, fresh);
            Files.move(fresh, classes);
        }
    }

    /// The starters, without that of a server, that `spring-boot-starter-webmvc` consists of, and
    /// the actuator.
    private List<String> all() {
        List<String> all = new ArrayList<>();
        for (String artifact : artifacts) {
            all.add(GROUP + artifact + ":" + boot);
        }
        for (String each : List.of("spring-boot-starter", "spring-boot-starter-actuator")) {
            all.add(GROUP + each + ":" + boot);
        }
        if (boot.equals(BOOT)) {
            for (String each : List.of("starter-jackson", "http-converter", "webmvc")) {
                all.add(GROUP + "spring-boot-" + each + ":" + boot);
            }
        } else {
            all.add(GROUP + "spring-boot-starter-json:" + boot);
            all.add("org.springframework:spring-web:" + SPRING_BEFORE);
            all.add("org.springframework:spring-webmvc:" + SPRING_BEFORE);
        }
        return all;
    }

    /// The class path without the application.
    private String libraries(LabEnvironment here) throws IOException {
        List<Path> folders = new ArrayList<>(List.of(here.maven().jars(folder(), all())));
        if (isMargay()) {
            folders.add(starter(here));
        }
        List<String> jars = new ArrayList<>();
        for (Path each : folders) {
            try (Stream<Path> files = Files.list(each)) {
                files.map(Path::toString).sorted().forEach(jars::add);
            }
        }
        return String.join(File.pathSeparator, jars);
    }

    /// Where the application is; another source is in another folder.
    private Path classes(LabEnvironment here) throws IOException {
        String source = Integer.toHexString(source().hashCode());
        return here.peers().resolve(folder() + "-app-" + source);
    }

    private static String source() throws IOException {
        try (InputStream in = BootApp.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new IOException(SOURCE + " is missing from the lab's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        if (isMargay()) {
            return "Spring Boot " + boot + ", " + Build.HERE.version(here);
        }
        String server =
                switch (variant) {
                    case "tomcat" -> "tomcat-embed-core";
                    case "jetty" -> "jetty-server";
                    default -> "undertow-core";
                };
        try (Stream<Path> files = Files.list(here.maven().jars(folder(), all()))) {
            Optional<String> jar =
                    files.map(it -> String.valueOf(it.getFileName()))
                            .filter(it -> it.startsWith(server))
                            .findFirst();
            return "Spring Boot " + boot + jar.map(it -> ", " + it.replace(".jar", "")).orElse("");
        }
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        LabEnvironment here = setting.here();
        List<String> command = new ArrayList<>();
        command.add(here.java());
        command.addAll(here.javaOptions());
        command.addAll(options);
        Path temp = Files.createDirectories(setting.folder().resolve("temp"));
        command.add("-Djava.io.tmpdir=" + temp);
        command.add("-cp");
        command.add(classes(here) + File.pathSeparator + libraries(here));
        command.add("shop." + NAME);
        command.add("--server.address=127.0.0.1");
        command.add("--server.port=" + setting.http());
        command.addAll(more);
        return List.of(new Tier(variant, command, Map.of(), List.of(setting.http())));
    }
}
