package io.margay.testkit;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Builds the archives that tests deploy: compiles sources, writes JARs and WARs.
public final class Archives {
    private final Path folder;
    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    private Archives(Path folder) {
        this.folder = folder;
    }

    /// Begins an archive; `folder` is scratch space.
    public static Archives in(Path folder) {
        return new Archives(folder);
    }

    /// Adds a text.
    public Archives text(String name, String text) {
        return bytes(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /// Adds bytes.
    public Archives bytes(String name, byte[] bytes) {
        entries.put(name, bytes);
        return this;
    }

    /// Takes an entry out again.
    public Archives without(String name) {
        if (entries.remove(name) == null) {
            throw new IllegalArgumentException(name);
        }
        return this;
    }

    /// Compiles classes, given as name and source, and adds them below `prefix`.
    public Archives classes(String prefix, List<Path> classPath, String... namesAndSources) {
        try {
            Path out = Files.createTempDirectory(folder, "classes");
            compile(out, classPath, namesAndSources);
            try (Stream<Path> files = Files.walk(out)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    String name = out.relativize(file).toString().replace('\\', '/');
                    entries.put(prefix + name, Files.readAllBytes(file));
                }
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void compile(Path out, List<Path> classPath, String... namesAndSources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<SimpleJavaFileObject> units = new ArrayList<>();
        for (int i = 0; i < namesAndSources.length; i += 2) {
            String source = namesAndSources[i + 1];
            URI uri = URI.create("mem:///" + namesAndSources[i].replace('.', '/') + ".java");
            units.add(
                    new SimpleJavaFileObject(uri, javax.tools.JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignore) {
                            return source;
                        }
                    });
        }
        List<String> paths = new ArrayList<>(classPath.stream().map(Path::toString).toList());
        paths.add(System.getProperty("java.class.path"));
        StringWriter messages = new StringWriter();
        List<String> options =
                List.of(
                        "-proc:none",
                        "-d",
                        out.toString(),
                        "-cp",
                        String.join(System.getProperty("path.separator"), paths));
        if (!compiler.getTask(messages, null, null, options, null, units).call()) {
            throw new IllegalStateException(messages.toString());
        }
    }

    /// Writes the archive.
    public Path to(Path file) {
        try {
            Files.createDirectories(file.getParent());
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
                for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                    zip.putNextEntry(new ZipEntry(entry.getKey()));
                    zip.write(entry.getValue());
                    zip.closeEntry();
                }
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes the entries as files, as an exploded application.
    public Path toFolder(Path target) {
        try {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                Path file = target.resolve(entry.getKey());
                Files.createDirectories(file.getParent());
                Files.write(file, entry.getValue());
            }
            return Files.createDirectories(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The archive's bytes.
    public byte[] toBytes() {
        Path file = to(folder.resolve("archive-" + System.identityHashCode(this) + ".jar"));
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
