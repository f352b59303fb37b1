package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Makes a release of a commit, twice, and compares both to the byte: `target/release/VERSION`. A
/// program by itself, run from its source by `make release`, which `docs/guide/releasing.md`
/// explains. What is built is a copy of the commit's files. Confined to one thread.
final class Release {
    private static final List<String> TOOLS =
            List.of(
                    "git",
                    "dpkg-deb",
                    "dh_builddeb",
                    "lintian",
                    "rpmbuild",
                    "readelf",
                    "strip",
                    "rpm");

    private static final Pattern VERSION = Pattern.compile("(?m)^  <version>(.*)</version>$");
    private static final String MODULES =
            "bom,app,embedding/junit,embedding/spring-boot,lab,compat/java-ee,"
                    + "embedding/maven-plugin,examples";

    private final Path root = Path.of("").toAbsolutePath();
    private final Path release = root.resolve("target/release");
    private final Commands commands;
    private final String commit;
    private final String version;
    private final Instant changed;

    private Release(String ref) throws IOException, InterruptedException {
        Commands git = new Commands(root, Map.of());
        commit = git.output("git", "rev-parse", "--verify", "--quiet", ref + "^{commit}");
        Matcher found = VERSION.matcher(git.output("git", "show", commit + ":pom.xml"));
        version = found.find() ? found.group(1) : "";
        if (!ref.matches("v[0-9].*")) {
            say(ref + " is not a tag: what is made is not to be published");
        } else if (!ref.equals("v" + version)) {
            throw new IOException(ref + " is a tag of version " + version);
        }
        String seconds = git.output("git", "log", "-1", "--format=%ct", commit);
        changed = Instant.ofEpochSecond(Long.parseLong(seconds));
        commands =
                new Commands(
                        root,
                        Map.of(
                                "SOURCE_DATE_EPOCH",
                                seconds,
                                "MARGAY_REVISION",
                                commit,
                                "MARGAY_JAVA_HOME",
                                System.getProperty("java.home"),
                                "LC_ALL",
                                "C",
                                "TZ",
                                "UTC"));
    }

    /// @param args the tag or commit; none for the tag that the checkout has
    public static void main(String[] args) throws InterruptedException {
        try {
            Commands git = new Commands(Path.of("").toAbsolutePath(), Map.of());
            for (String tool : TOOLS) {
                if (!Commands.has(tool)) {
                    throw new IOException(
                            tool
                                    + " is missing: apt-get install git debhelper lintian rpm"
                                    + " binutils");
                }
            }
            if (!git.output("git", "status", "--porcelain").isEmpty()) {
                throw new IOException("the work tree has changes: commit them first");
            }
            String ref =
                    args.length > 0
                            ? args[0]
                            : git.output("git", "describe", "--exact-match", "--tags", "HEAD");
            new Release(ref).make();
        } catch (IOException e) {
            System.err.println("make release: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void say(String what) {
        System.out.println("make release: " + what);
    }

    private void make() throws IOException, InterruptedException {
        Path first = release.resolve("1");
        Folders.empty(release);
        build("1");
        if (System.getenv().getOrDefault("RELEASE_ONCE", "").isEmpty()) {
            build("2");
            ReleaseComparison.require(first, release.resolve("2"));
            Folders.empty(release.resolve("2"));
            Files.delete(release.resolve("2"));
        }
        say("what Debian's rules say");
        for (Path deb : files(first, ".deb")) {
            // What is left out stands, with its reason, in the package's overrides.
            commands.run("lintian", "--fail-on", "error,warning", deb);
        }
        say("what Kubernetes says");
        new Commands(source("1"), commands.environment())
                .run(tool(source("1"), "KubernetesFiles", "--all"));
        finish(Files.move(first, release.resolve(version)));
    }

    private Path source(String build) {
        return release.resolve("source-" + build);
    }

    /// The words that run one of these programs from its source.
    private static Object[] tool(Path source, String name, Object... words) {
        String file = "packages/src/main/java/io/margay/packages/" + name + ".java";
        Object[] java = {
            Path.of(System.getProperty("java.home"), "bin/java"), source.resolve(file)
        };
        return Stream.concat(Stream.of(java), Stream.of(words)).toArray();
    }

    /// Builds a copy of the commit in a folder of its own.
    private void build(String build) throws IOException, InterruptedException {
        Path source = Files.createDirectories(source(build));
        Path out = Files.createDirectories(release.resolve(build));
        Path target = Files.createDirectories(source.resolve("target"));
        Path tools = Files.createDirectories(root.resolve("target/tools"));
        Files.createSymbolicLink(target.resolve("tools"), tools);
        Path archive = release.resolve("source.tar");
        commands.run("git", "archive", "-o", archive, commit);
        commands.run("tar", "-C", source, "-xf", archive);
        Files.delete(archive);
        say("build " + build + ": the programs and what is published");
        maven(
                source,
                "-Dmaven.install.skip=true",
                "-pl",
                MODULES,
                "-am",
                "deploy",
                "-DaltDeploymentRepository=local::file:" + out.resolve("maven"));
        // Times of this deployment; whoever publishes has others.
        for (Path file : files(out.resolve("maven"), "")) {
            if (file.getFileName().toString().startsWith("maven-metadata.xml")) {
                Files.delete(file);
            }
        }
        commands.run(tool(source, "Published", out.resolve("maven")));
        String _ = commands.output(source.resolve("bin/dist"));
        String name = "margay-" + version + ".tar.gz";
        Files.move(target.resolve(name), out.resolve(name));
        say("build " + build + ": packages");
        packages(build, "bill,archive,deb,rpm,image", "");
        String jdk = System.getenv().getOrDefault("JDK_ARM64", "");
        if (!jdk.isEmpty()) {
            packages(build, "archive,deb,rpm,image", "arm64=" + jdk);
        } else if (build.equals("1")) {
            say("nothing for arm64: JDK_ARM64 is not set");
        }
        // Helm itself would put the time into it.
        Path kubernetes = source.resolve("packages/kubernetes");
        pack(kubernetes, "margay", out.resolve("margay-chart-" + version + ".tgz"));
        Files.copy(
                kubernetes.resolve("margay.yaml"),
                out.resolve("margay-kubernetes-" + version + ".yaml"));
        for (String file : List.of("LICENSE", "NOTICE")) {
            Files.copy(source.resolve(file), out.resolve(file));
        }
    }

    private void maven(Path source, Object... words) throws IOException, InterruptedException {
        Object[] build = {
            source.resolve("bin/build"),
            "-q",
            "-B",
            "-ntp",
            "-Dfast",
            "-DskipTests",
            "-Dproject.build.outputTimestamp=" + changed
        };
        commands.run(Stream.concat(Stream.of(build), Stream.of(words)).toArray());
    }

    /// @param other another kind of machine and a JDK of that kind, `arm64=/opt/jdk`, or nothing
    private void packages(String build, String kinds, String other)
            throws IOException, InterruptedException {
        String machine = other.replaceFirst("=.*", "");
        Path folder = source(build).resolve("target/made-" + machine);
        maven(
                source(build),
                "-Ppackages",
                "-pl",
                "packages",
                "-am",
                "package",
                "-Dpackages.target=" + folder,
                "-Dpackages.made=" + kinds,
                "-Dpackages.other=" + other);
        try (Stream<Path> made = Files.list(folder)) {
            for (Path file : made.filter(Files::isRegularFile).toList()) {
                if (file.getFileName().toString().startsWith("margay")) {
                    Files.move(file, release.resolve(build).resolve(file.getFileName()));
                }
            }
        }
    }

    /// Writes `name` of a folder as an archive, the same for equal contents.
    private void pack(Path folder, String name, Path archive)
            throws IOException, InterruptedException {
        Path tar = Path.of(archive + ".tar");
        commands.run(
                "tar",
                "-C",
                folder,
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--mtime=@" + changed.getEpochSecond(),
                "-cf",
                tar,
                name);
        commands.run("gzip", "-n", "-9", tar);
        Files.move(Path.of(tar + ".gz"), archive);
    }

    /// Signs, packs what goes to Maven Central, and writes the digests of all.
    private void finish(Path made) throws IOException, InterruptedException {
        String key = System.getenv().getOrDefault("MARGAY_GPG_KEY", "");
        Path maven = made.resolve("maven");
        if (!key.isEmpty()) {
            say("signing with " + key);
            for (Path file : files(maven, "")) {
                if (!file.toString().matches(".*\\.(md5|sha1|sha256|sha512)")) {
                    sign(key, file);
                }
            }
            String gpg = commands.output("sh", "-c", "command -v gpg");
            for (Path rpm : files(made, ".rpm")) {
                commands.quiet(
                        "rpmsign",
                        "--define",
                        "_gpg_name " + key,
                        "--define",
                        "__gpg " + gpg,
                        "--addsign",
                        rpm);
            }
        }
        pack(maven, "io", made.resolve("margay-" + version + "-maven.tar.gz"));
        commands.run("rm", "-rf", maven);
        Map<String, String> digests = new HashMap<>();
        for (Path file : files(made, "")) {
            digests.put(file.getFileName().toString(), Folders.digest(file));
        }
        List<String> names = digests.keySet().stream().sorted().toList();
        Files.write(
                made.resolve("SHA256SUMS"),
                names.stream().map(name -> digests.get(name) + "  " + name).toList());
        if (!key.isEmpty()) {
            for (Path file : files(made, "")) {
                sign(key, file);
            }
        }
        commands.run("rm", "-rf", source("1"), source("2"));
        say(made.toString());
        for (Path file : files(made, "")) {
            System.out.println(Files.size(file) + " " + file.getFileName());
        }
    }

    private void sign(String key, Path file) throws IOException, InterruptedException {
        commands.run(
                "gpg", "--batch", "--yes", "--armor", "--local-user", key, "--detach-sign", file);
    }

    /// The files below a folder whose names end so, in their order.
    static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(end))
                    .sorted()
                    .toList();
        }
    }
}
