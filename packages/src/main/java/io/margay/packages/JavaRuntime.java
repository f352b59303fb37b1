package io.margay.packages;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/// The part of the JDK that a server of any web application needs, linked.
final class JavaRuntime {
    private static final System.Logger LOG = System.getLogger(JavaRuntime.class.getName());

    /// All of Java SE, and of the JDK's own modules those that applications, their drivers and
    /// whoever looks for a fault use: no compiler and no tools that need one.
    private static final String MODULES =
            String.join(
                    ",",
                    "java.se",
                    "jdk.charsets",
                    "jdk.crypto.cryptoki",
                    "jdk.dynalink",
                    "jdk.httpserver",
                    "jdk.jcmd",
                    "jdk.jdwp.agent",
                    "jdk.jfr",
                    "jdk.localedata",
                    "jdk.management",
                    "jdk.management.agent",
                    "jdk.management.jfr",
                    "jdk.naming.dns",
                    "jdk.naming.rmi",
                    "jdk.net",
                    "jdk.nio.mapmode",
                    "jdk.security.auth",
                    "jdk.security.jgss",
                    "jdk.unsupported",
                    "jdk.xml.dom",
                    "jdk.zipfs");

    private JavaRuntime() {}

    /// Links for this machine.
    ///
    /// @param target takes the place of what is there
    static Path link(Path target) throws IOException, InterruptedException {
        link(target, List.of("--strip-debug"));
        strip(target, "strip");
        return target;
    }

    /// Links for another kind of machine, of whose libraries the symbols are taken if this one has
    /// binutils for it, as `aarch64-linux-gnu-strip`.
    ///
    /// @param jdk of that kind, of the same release as the one that runs this, with `jmods`
    static Path link(Path target, Target machine, Path jdk)
            throws IOException, InterruptedException {
        Path modules = jdk.resolve("jmods");
        if (!Files.exists(modules.resolve("java.base.jmod"))) {
            throw new IOException(
                    modules + " has no java.base.jmod: a JDK with its jmods is needed");
        }
        link(target, List.of("--module-path", modules.toString(), "--strip-java-debug-attributes"));
        String strip = machine.kernel + "-linux-gnu-strip";
        boolean there =
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, strip)));
        if (there) {
            strip(target, strip);
        } else {
            LOG.log(Level.INFO, "symbols stay in Java's libraries: there is no {0}", strip);
        }
        return target;
    }

    /// Takes the symbols out of programs and libraries, but of the JVM itself, whose stack traces
    /// of crashes, and profilers, need them.
    private static void strip(Path java, String program) throws IOException, InterruptedException {
        for (Path file : SystemLibraries.binaries(java)) {
            if (!file.endsWith("libjvm.so")) {
                Folders.run("chmod", "u+w", file.toString());
                Folders.run(program, "--strip-unneeded", file.toString());
            }
        }
    }

    private static void link(Path target, List<String> options)
            throws IOException, InterruptedException {
        Folders.run("rm", "-rf", target.toString());
        ToolProvider jlink = ToolProvider.findFirst("jlink").orElseThrow();
        StringWriter said = new StringWriter();
        PrintWriter output = new PrintWriter(said, true);
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("--add-modules", MODULES, "--no-man-pages", "--no-header-files"));
        words.addAll(List.of("--compress", "zip-6", "--output", target.toString()));
        int status = jlink.run(output, output, words.toArray(String[]::new));
        if (status != 0) {
            throw new IOException("jlink failed with " + status + ": " + said);
        }
        // Some JDKs have the symbols of each library beside it, which nobody reads here.
        Folders.run("find", target.toString(), "-name", "*.debuginfo", "-delete");
    }
}
