package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Compares two folders with what [Release] has made, byte for byte. A program by itself, run from
/// its source by `make compare-releases`.
///
/// Signatures have the time in them, and are left out, also those within RPM packages. Of an image
/// with a cache the layer with the cache is left out, too, and of an archive with caches its folder
/// `cache`: they come of runs of the program; what else is in them must be what is in the image or
/// archive without.
final class ReleaseComparison {
    private static final Pattern LEFT_OUT =
            Pattern.compile(".*\\.asc|.*-cache\\.tar(\\.gz)?|SHA256SUMS.*");

    private static final Pattern LAYER = Pattern.compile("\"(blobs/sha256/[0-9a-f]*)\"");
    private static final Pattern CONFIG = Pattern.compile("\"Config\":\"([^\"]*)\"");
    private static final Pattern CACHE = Pattern.compile("[^/]*/cache/[^/]*\\.aot");

    private final Commands commands = new Commands(Path.of("").toAbsolutePath(), Map.of());
    private final List<String> differences = new ArrayList<>();

    private ReleaseComparison() {}

    /// @param args the two folders
    public static void main(String[] args) throws InterruptedException {
        try {
            if (args.length != 2 || !Files.isDirectory(Path.of(args[0]))) {
                throw new IOException("make compare-releases ONE=FOLDER OTHER=FOLDER");
            }
            require(Path.of(args[0]), Path.of(args[1]));
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /// Says how many files are alike.
    ///
    /// @throws IOException if two are not
    static void require(Path one, Path other) throws IOException, InterruptedException {
        ReleaseComparison comparison = new ReleaseComparison();
        int count = comparison.compare(one, other);
        if (!comparison.differences.isEmpty()) {
            throw new IOException(
                    String.join("\n", comparison.differences)
                            + "\n"
                            + one
                            + " and "
                            + other
                            + " are not alike");
        }
        System.out.println("alike to the byte: " + count + " files");
    }

    private int compare(Path one, Path other) throws IOException, InterruptedException {
        SortedMap<String, String> first = digests(one);
        unlike(first, digests(other)).forEach(name -> differences.add(name + " differs"));
        for (Path image : Release.files(one, "-cache.tar")) {
            images(image, other.resolve(image.getFileName()));
        }
        for (Path folder : List.of(one, other)) {
            for (Path archive : Release.files(folder, "-cache.tar.gz")) {
                Path plain = Path.of(archive.toString().replace("-cache.tar.gz", ".tar.gz"));
                if (!contents(archive, CACHE).equals(contents(plain, CACHE))) {
                    differences.add(archive + ": other files than in the one without caches");
                }
            }
        }
        return first.size();
    }

    private static List<String> unlike(Map<String, String> one, Map<String, String> other) {
        TreeSet<String> names = new TreeSet<>(one.keySet());
        names.addAll(other.keySet());
        return names.stream()
                .filter(name -> !one.getOrDefault(name, "").equals(other.getOrDefault(name, "")))
                .toList();
    }

    /// What must be equal, by names.
    private SortedMap<String, String> digests(Path folder)
            throws IOException, InterruptedException {
        SortedMap<String, String> digests = new TreeMap<>();
        for (Path file : Release.files(folder, "")) {
            String name = file.getFileName().toString();
            if (LEFT_OUT.matcher(name).matches()) {
                continue;
            }
            String digest;
            if (name.endsWith(".rpm")) {
                String format = "%{SHA256HEADER} %{PAYLOADDIGEST}";
                digest = commands.output("rpm", "-qp", "--nosignature", "--qf", format, file);
            } else if (name.endsWith("-maven.tar.gz")) {
                digest = contents(file, Pattern.compile(".*\\.asc")).toString();
            } else {
                digest = Folders.digest(file);
            }
            digests.put(folder.relativize(file).toString(), digest);
        }
        return digests;
    }

    /// Digests of the files in an archive, and where its links lead, but for those of some names.
    private SortedMap<String, String> contents(Path archive, Pattern without)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("contents");
        SortedMap<String, String> contents = new TreeMap<>();
        try {
            commands.run("tar", "-C", folder, "-xzf", archive);
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path file : all.toList()) {
                    String name = folder.relativize(file).toString();
                    if (without.matcher(name).matches()) {
                        continue;
                    }
                    if (Files.isSymbolicLink(file)) {
                        contents.put(name, "to " + Files.readSymbolicLink(file));
                    } else if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                        contents.put(name, Folders.digest(file));
                    }
                }
            }
        } finally {
            commands.run("rm", "-rf", folder);
        }
        return contents;
    }

    private void images(Path image, Path other) throws IOException, InterruptedException {
        List<String> layers = layers(image);
        if (layers.isEmpty() || !layers.equals(layers(other))) {
            differences.add(image.getFileName() + ": the layers below the cache differ");
        }
        Path plain = Path.of(image.toString().replace("-cache.tar", ".tar"));
        List<String> all = commands.output("tar", "-tf", plain).lines().toList();
        for (String layer : layers) {
            if (!all.contains("./" + layer)) {
                differences.add(layer + " is not a layer of " + plain.getFileName());
            }
        }
    }

    /// The layers of an image but the last one.
    private List<String> layers(Path image) throws IOException, InterruptedException {
        String manifest = commands.output("tar", "-xOf", image, "./manifest.json");
        String config =
                CONFIG.matcher(manifest).results().findFirst().map(it -> it.group(1)).orElse("");
        List<String> layers =
                LAYER.matcher(manifest)
                        .results()
                        .map(it -> it.group(1))
                        .filter(name -> !name.equals(config))
                        .toList();
        return layers.isEmpty() ? layers : layers.subList(0, layers.size() - 1);
    }
}
