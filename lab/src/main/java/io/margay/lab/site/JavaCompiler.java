package io.margay.lab.site;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Compiles the few classes that are made for a run. Stateless.
public final class JavaCompiler {
    private JavaCompiler() {}

    /// Compiles one source.
    ///
    /// @param source the text of the class `name`
    /// @param classPath jars and folders
    /// @param release of Java that must be able to run it
    public static void compile(
            String name, String source, String classPath, int release, Path target)
            throws IOException {
        Files.createDirectories(target);
        Path file = Files.writeString(target.resolve(name + ".java"), source);
        var compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IOException("this Java has no compiler; a JDK is needed");
        }
        StringWriter output = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of(
                            "-d",
                            target.toString(),
                            "-cp",
                            classPath,
                            "--release",
                            String.valueOf(release),
                            "-Xlint:none",
                            "-proc:none");
            boolean done =
                    Objects.requireNonNullElse(
                            compiler.getTask(
                                            output,
                                            files,
                                            null,
                                            options,
                                            null,
                                            files.getJavaFileObjects(file))
                                    .call(),
                            false);
            if (!done) {
                throw new IOException(name + " cannot be compiled: " + output);
            }
        }
    }
}
