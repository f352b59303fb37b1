package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Makes every package, and prints where it lies and how large it is.
public final class Main {
    /// A kind of package.
    private interface Kind {
        Path make(Packaged packaged, Path out) throws IOException, InterruptedException;
    }

    private static final Map<String, Kind> KINDS =
            Map.of(
                    "archive", ArchiveWithJava::make,
                    "deb", DebianPackage::make,
                    "image", ContainerImage::make);

    private Main() {}

    /// @param args the unpacked distribution, the folder with what packages add to it, the folder
    ///   that takes them, and what to make: `archive`, `deb`, `image`, with commas between
    public static void main(String[] args) throws IOException, InterruptedException {
        Path out = Path.of(args[2]);
        Packaged packaged =
                new Packaged(
                        new Distribution(Path.of(args[0])),
                        JavaRuntime.link(out.resolve("java")),
                        Path.of(args[1]));
        for (String name : args[3].split(",")) {
            Kind kind = KINDS.get(name);
            if (kind == null) {
                throw new IllegalArgumentException("no such package: " + name);
            }
            Path made = kind.make(packaged, out);
            System.out.printf("%s  %d MiB%n", made, Files.size(made) >> 20);
        }
    }
}
