package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Makes packages, and prints where each lies and how large it is.
public final class Main {
    /// A kind of package.
    private interface Kind {
        Path make(Packaged packaged, Path out) throws IOException, InterruptedException;
    }

    private static final Map<String, Kind> KINDS =
            Map.of(
                    "bill", Sbom::ofDistribution,
                    "archive", ArchiveWithJava::make,
                    "deb", DebianPackage::make,
                    "rpm", RpmPackage::make,
                    "image", ContainerImage::make);

    private Main() {}

    /// @param args the unpacked distribution; the folder with what packages add to it; the folder
    ///   that takes them; what to make: `archive`, `deb`, `rpm`, `image`, and `bill` of the
    ///   distribution itself, with commas between; the bills of materials of the programs in the
    ///   distribution, with commas between; and for another kind of machine a JDK of that kind,
    ///   with its `jmods`, after the name of the kind, as `arm64=/opt/jdk`
    public static void main(String[] args) throws IOException, InterruptedException {
        Distribution distribution = new Distribution(Path.of(args[0]));
        Path out = Path.of(args[2]);
        List<Path> bills = Stream.of(args[4].split(",")).map(Path::of).toList();
        List<Library> libraries = Library.of(distribution, bills);
        Target target = Target.own();
        Path java;
        String other = args.length > 5 ? args[5] : "";
        if (other.isEmpty()) {
            java = JavaRuntime.link(out.resolve("java"));
        } else {
            target = Target.named(other.substring(0, other.indexOf('=')));
            Path jdk = Path.of(other.substring(other.indexOf('=') + 1));
            java = JavaRuntime.link(out.resolve("java"), target, jdk);
        }
        Packaged packaged = new Packaged(distribution, target, java, Path.of(args[1]), libraries);
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
