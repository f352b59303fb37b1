package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.base.CatalinaProperties;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/// The files of a `CATALINA_BASE` that are no XML, and its libraries. Stateless.
final class BaseFiles {
    private static final String PROPERTIES = "conf/catalina.properties";
    private static final String COMMON = "common.loader";
    private static final String SHARED = "shared.loader";

    /// Where libraries are when catalina.properties does not say.
    private static final List<String> COMMON_DEFAULT =
            List.of(
                    "${catalina.base}/lib",
                    "${catalina.base}/lib/*.jar",
                    "${catalina.home}/lib/*.jar");

    /// Begins of names of Tomcat's own libraries, which have their like here.
    private static final List<String> TOMCATS_OWN =
            List.of(
                    "annotations-api",
                    "catalina",
                    "ecj-",
                    "el-api",
                    "jakartaee-migration",
                    "jasper",
                    "jaspic-api",
                    "jsp-api",
                    "servlet-api",
                    "tomcat",
                    "websocket");

    /// Properties of Tomcat's own that do something here, or of which something is to be said.
    private static final Map<String, String> KNOWN =
            Map.of(
                    COMMON,
                    "the libraries of all applications",
                    SHARED,
                    "the libraries of all applications, with what they declare",
                    "server.loader",
                    "the libraries of the server are its own",
                    "package.access",
                    "there is no security manager",
                    "package.definition",
                    "there is no security manager",
                    CatalinaProperties.JARS_TO_SKIP,
                    "libraries that are not looked through",
                    CatalinaProperties.JARS_TO_SCAN,
                    "libraries that are looked through");

    /// Those of them that do here what they do in Tomcat.
    private static final Set<String> HONOURED =
            Set.of(
                    COMMON,
                    SHARED,
                    CatalinaProperties.JARS_TO_SKIP,
                    CatalinaProperties.JARS_TO_SCAN);

    private BaseFiles() {}

    /// Whether a library is one of Tomcat's own.
    private static boolean isTomcatsOwn(Path jar) {
        String name = jar.getFileName().toString();
        return TOMCATS_OWN.stream().anyMatch(name::startsWith);
    }

    /// The libraries of all applications, without those of Tomcat's own.
    static List<Path> libraries(Path base, CatalinaProperties properties) {
        List<String> places = new ArrayList<>(properties.list(COMMON));
        if (places.isEmpty()) {
            COMMON_DEFAULT.forEach(place -> places.add(properties.replace(place)));
        }
        places.addAll(properties.list(SHARED));
        return libraries(base, places);
    }

    /// Those of them that Tomcat looks through as if they were in `WEB-INF/lib` of each
    /// application.
    static List<Path> shared(Path base, CatalinaProperties properties) {
        return libraries(base, properties.list(SHARED));
    }

    private static List<Path> libraries(Path base, List<String> places) {
        Set<Path> jars = new TreeSet<>();
        for (String place : places) {
            if (place.endsWith("*.jar")) {
                add(base.resolve(place.substring(0, place.length() - 5)), jars);
            } else {
                Path path = base.resolve(place).normalize();
                if (place.endsWith(".jar") && Files.isRegularFile(path)) {
                    jars.add(path);
                } else if (Files.isDirectory(path)) {
                    jars.add(path); // Classes and files in it.
                }
            }
        }
        return jars.stream().filter(jar -> !isTomcatsOwn(jar)).toList();
    }

    private static void add(Path folder, Set<Path> jars) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
            found.forEach(jar -> jars.add(jar.normalize()));
        } catch (IOException e) {
            // Told by whoever reads the libraries.
            jars.add(folder);
        }
    }

    /// Tells of properties and of the files that are not read.
    static void tell(Path base, CatalinaProperties properties, ElementAccount account)
            throws IOException {
        Path file = base.resolve(PROPERTIES);
        if (Files.isRegularFile(file)) {
            Properties read = new Properties();
            try (var in = Files.newBufferedReader(file)) {
                read.load(in);
            }
            for (String name : new TreeSet<>(read.stringPropertyNames())) {
                String text = KNOWN.get(name);
                boolean honoured = HONOURED.contains(name);
                account.tell(
                        file.toString(),
                        0,
                        name,
                        text == null || honoured ? Verdict.HONOURED : Verdict.NOTED,
                        text == null ? "a system property" : text);
            }
        }
        for (Path jar : libraries(base, properties)) {
            if (Files.isRegularFile(jar)) {
                account.tell(
                        jar.toString(),
                        0,
                        "library",
                        Verdict.HONOURED,
                        "all applications see its classes");
            }
        }
        for (String name : List.of("conf/catalina.policy", "conf/jaspic-providers.xml")) {
            if (Files.isRegularFile(base.resolve(name))) {
                account.tell(
                        base.resolve(name).toString(),
                        0,
                        "file",
                        Verdict.NOTED,
                        name.endsWith(".policy")
                                ? "there is no security manager"
                                : "providers of JASPIC are not asked");
            }
        }
    }

    /// What is to be read again when one of them has changed.
    static List<Path> files(Path base) {
        List<Path> files = new ArrayList<>();
        for (String name : List.of("server.xml", "context.xml", "web.xml", "tomcat-users.xml")) {
            files.add(base.resolve("conf").resolve(name));
        }
        files.add(base.resolve(PROPERTIES));
        files.addAll(beside(base, "context.xml.default"));
        files.addAll(beside(base, CommonWebXml.OF_HOST));
        return files;
    }

    /// The descriptors of contexts, `conf/ENGINE/HOST/NAME.xml`, in order.
    static List<Path> descriptors(Path base) {
        return beside(base, "*.xml");
    }

    private static List<Path> beside(Path base, String glob) {
        List<Path> found = new ArrayList<>();
        for (Path engine : within(base.resolve("conf"), "*")) {
            for (Path host : within(engine, "*")) {
                found.addAll(within(host, glob));
            }
        }
        found.sort(null);
        return found;
    }

    /// What a folder holds; nothing when it is none.
    private static List<Path> within(Path folder, String glob) {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, glob)) {
                all.forEach(found::add);
            } catch (IOException e) {
                return List.of(); // Told by whoever reads them.
            }
        }
        return found;
    }
}
