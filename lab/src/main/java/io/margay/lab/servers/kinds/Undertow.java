package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import io.margay.lab.site.Certificate;
import io.margay.lab.site.JavaCompiler;
import io.margay.lab.site.LabApp;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Undertow, embedded in a program that is compiled for the run: the lab's servlet, and files. It
/// has no JSP of its own.
record Undertow() implements LabServer {
    private static final String VERSION = "2.3.24.Final";
    private static final String FOLDER = "undertow-" + VERSION;
    private static final String MAIN = "UndertowRunner";

    private static final String SOURCE =
            """
            import io.undertow.Handlers;
            import io.undertow.server.handlers.resource.PathResourceManager;
            import io.undertow.servlet.Servlets;
            import java.io.FileInputStream;
            import java.nio.file.Path;
            import java.security.KeyStore;
            import javax.net.ssl.KeyManagerFactory;
            import javax.net.ssl.SSLContext;

            /** Arguments: port, TLS port, PKCS#12 file, its password, folder of files. */
            public final class UndertowRunner {
                public static void main(String[] args) throws Exception {
                    var store = KeyStore.getInstance("PKCS12");
                    try (var in = new FileInputStream(args[2])) {
                        store.load(in, args[3].toCharArray());
                    }
                    var keys =
                            KeyManagerFactory.getInstance(
                                    KeyManagerFactory.getDefaultAlgorithm());
                    keys.init(store, args[3].toCharArray());
                    var tls = SSLContext.getInstance("TLS");
                    tls.init(keys.getKeyManagers(), null, null);
                    var deployment =
                            Servlets.defaultContainer()
                                    .addDeployment(
                                            Servlets.deployment()
                                                    .setClassLoader(
                                                            UndertowRunner.class.getClassLoader())
                                                    .setContextPath("/lab")
                                                    .setDeploymentName("lab")
                                                    .addServlet(
                                                            Servlets.servlet(LabServlet.class)
                                                                    .addMapping("/servlet")
                                                                    .addMapping("/traffic")));
                    deployment.deploy();
                    var files =
                            Handlers.resource(new PathResourceManager(Path.of(args[4]), 1 << 20));
                    var handler =
                            Handlers.path(files).addPrefixPath("/lab", deployment.start());
                    io.undertow.Undertow.builder()
                            .addHttpListener(Integer.parseInt(args[0]), "127.0.0.1")
                            .addHttpsListener(Integer.parseInt(args[1]), "127.0.0.1", tls)
                            .setHandler(handler)
                            .build()
                            .start();
                }
            }
            """;

    static List<LabServer> variants() {
        return List.of(new Undertow());
    }

    @Override
    public String name() {
        return "undertow";
    }

    @Override
    public String title() {
        return "Undertow 2.3";
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.SERVLET, Feature.FILES);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        return here.maven().availability(FOLDER, "Undertow " + VERSION);
    }

    @Override
    public void fetch(LabEnvironment here) throws IOException {
        jars(here);
    }

    private static Path jars(LabEnvironment here) throws IOException {
        return here.maven().jars(FOLDER, List.of("io.undertow:undertow-servlet:" + VERSION));
    }

    /// Every jar of a folder, each with a separator after it.
    private static String all(Path folder) throws IOException {
        try (Stream<Path> jars = Files.list(folder)) {
            return jars.sorted().map(jar -> jar + File.pathSeparator).collect(Collectors.joining());
        }
    }

    @Override
    public String version(LabEnvironment here) {
        return "Undertow " + VERSION;
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        LabEnvironment here = setting.here();
        Path app = setting.folder().resolve("app");
        LabApp.make(app);
        Path classes = app.resolve("WEB-INF/classes");
        String classPath = all(jars(here)) + classes;
        JavaCompiler.compile(MAIN, SOURCE, classPath, Runtime.version().feature(), classes);
        List<String> command = new ArrayList<>();
        command.add(here.java());
        command.addAll(here.javaOptions());
        command.addAll(
                List.of(
                        "-cp",
                        classPath,
                        MAIN,
                        String.valueOf(setting.http()),
                        String.valueOf(setting.https()),
                        setting.certificate().store().toString(),
                        Certificate.PASSWORD,
                        setting.webapps().toString()));
        return List.of(
                new Tier("undertow", command, Map.of(), List.of(setting.http(), setting.https())));
    }
}
