package io.margay.packages;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Puts what is published into `target/artefacts/repository`, as a release would, and has programs
/// outside this build use it: `examples/embedding` from there and from the local repository that it
/// has been installed in, `examples/maven-run` by `mvn margay:run`. Nothing goes into the user's
/// own repository. A program by itself, run from its source by `make artefacts`. Confined to one
/// thread.
final class Artefacts {
    private static final String MODULES =
            "bom,app,embedding/junit,embedding/spring-boot,lab,embedding/maven-plugin";
    private static final Pattern URL = Pattern.compile("http://127[0-9.:]*");
    private static final long WAIT_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final Path root = Path.of("").toAbsolutePath();
    private final Path out = root.resolve("target/artefacts");
    private final Path local = out.resolve("local");
    private final Path repository = out.resolve("repository");
    private final Commands commands =
            new Commands(
                    root,
                    Map.of(
                            "JAVA_HOME",
                            System.getProperty("java.home"),
                            // Maven's own libraries still use sun.misc.Unsafe, and these builds
                            // are short; see bin/build.
                            "MAVEN_OPTS",
                            "--sun-misc-unsafe-memory-access=allow"
                                    + " --enable-native-access=ALL-UNNAMED"
                                    + " -Djansi.noreset=true -XX:TieredStopAtLevel=1 "
                                    + System.getenv().getOrDefault("MAVEN_OPTS", "")));

    private Artefacts() {}

    public static void main(String[] args) throws Exception {
        try {
            new Artefacts().make();
        } catch (IOException e) {
            System.err.println("make artefacts: " + e.getMessage());
            System.exit(1);
        }
    }

    private void make() throws Exception {
        Folders.empty(out);
        share();
        // Javadoc that an earlier build has left may be taken for new.
        commands.run(
                "sh",
                "-c",
                "rm -rf */target/reports/apidocs */*/target/reports/apidocs"
                        + " */target/maven-javadoc-plugin-stale-data.txt"
                        + " */*/target/maven-javadoc-plugin-stale-data.txt");
        // Installed in that, then deployed. Another local repository makes the compiler begin anew,
        // so tests are left out, and the checks that make test has made.
        new Commands(root, Map.of("MARGAY_JAVA_HOME", System.getProperty("java.home")))
                .run(
                        root.resolve("bin/build"),
                        "-q",
                        "-B",
                        "-ntp",
                        "-T",
                        "2",
                        "-DskipTests",
                        "-Dmaven.test.skip=true",
                        "-Dfast",
                        "-Dmaven.repo.local=" + local,
                        "-pl",
                        MODULES,
                        "-am",
                        "deploy",
                        "-DaltDeploymentRepository=local::file:" + repository);
        List<String> faults = Published.faults(repository);
        if (!faults.isEmpty()) {
            throw new IOException(
                    "what is published is not complete:\n" + String.join("\n", faults));
        }
        List<Path> jars = Release.files(repository, ".jar");
        for (Path jar : jars) {
            Path installed = local.resolve(repository.relativize(jar).toString());
            if (jar.toString().matches(".*[0-9]\\.jar") && Files.mismatch(jar, installed) != -1) {
                throw new IOException(jar.getFileName() + " was not installed");
            }
        }
        maven(out.resolve("none"), root.resolve("examples/embedding"), "clean", "verify");
        commands.run("rm", "-rf", local.resolve("io/margay"));
        maven(repository, root.resolve("examples/embedding"), "clean", "verify");
        run();
        commands.run("rm", "-rf", local, out.resolve("maven-run"));
        System.out.printf(
                "artefacts: %d jars in %s, used by examples/embedding and examples/maven-run%n",
                jars.size(), repository);
    }

    /// A local repository that shows everything of the user's own but our artefacts.
    private void share() throws IOException {
        String named = System.getenv().getOrDefault("MARGAY_M2", "");
        Path shared =
                named.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".m2/repository")
                        : Path.of(named);
        Files.createDirectories(shared.resolve("io"));
        Files.createDirectories(local.resolve("io"));
        for (Path folder : List.of(Path.of(""), Path.of("io"))) {
            try (Stream<Path> all = Files.list(shared.resolve(folder))) {
                for (Path each : all.toList()) {
                    Path name = shared.relativize(each);
                    if (!name.toString().equals("io") && !name.endsWith("io/margay")) {
                        Files.createSymbolicLink(local.resolve(name), each);
                    }
                }
            }
        }
    }

    private void maven(Path from, Path project, Object... goals)
            throws IOException, InterruptedException {
        commands.run(Stream.concat(words(from, project), Stream.of(goals)).toArray());
    }

    private Stream<Object> words(Path from, Path project) {
        return Stream.of(
                "mvn",
                "-q",
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + local,
                "-Dmargay.repository=file:" + from,
                "-f",
                project.resolve("pom.xml"));
    }

    /// Runs a copy of the example, for a class of it is changed meanwhile.
    private void run() throws Exception {
        Path sample = out.resolve("maven-run");
        Path log = out.resolve("run.log");
        Folders.copy(root.resolve("examples/maven-run"), sample);
        Stream<Object> words = words(repository, sample).filter(word -> !word.equals("-q"));
        Process server =
                commands.started(
                                Stream.concat(words, Stream.of("margay:run", "-Dmargay.port=0"))
                                        .toArray())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try (HttpClient client =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
            server.getOutputStream().close();
            Matcher url = URL.matcher(await(server, URL.pattern(), () -> Files.readString(log)));
            URI visits = URI.create((url.find() ? url.group() : "") + "/visits");
            await(server, "Welcome", () -> get(client, visits.resolve("/")));
            require(get(client, visits).equals("visit 1"), "examples/maven-run does not count");
            Path source = sample.resolve("src/main/java/shop/Visits.java");
            Files.writeString(
                    source,
                    Files.readString(source).replace("\"visit \"", "\"after a change, visit \""));
            maven(repository, sample, "compile");
            await(server, "after a change", () -> get(client, visits));
            require(
                    get(client, visits).matches("after a change, visit ([3-9]|[1-9][0-9]+)"),
                    "mvn margay:run has lost the session");
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static void require(boolean holds, String fault) throws IOException {
        if (!holds) {
            throw new IOException(fault);
        }
    }

    private static String get(HttpClient client, URI at) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(at).timeout(Duration.ofSeconds(30)).build();
        return client.send(request, BodyHandlers.ofString()).body().strip();
    }

    /// Something that is said.
    private interface Said {
        String text() throws Exception;
    }

    /// What is said once it has what an expression describes.
    private String await(Process server, String expression, Said said) throws Exception {
        long until = System.nanoTime() + WAIT_NANOS;
        while (System.nanoTime() - until < 0 && server.isAlive()) {
            try {
                String text = said.text();
                if (Pattern.compile(expression).matcher(text).find()) {
                    return text;
                }
            } catch (IOException e) {
                // Not yet.
            }
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
        throw new IOException(
                "no \"" + expression + "\" of mvn margay:run; see " + out.resolve("run.log"));
    }
}
