package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The distribution with Java in it: unpacked, it runs on a machine that has none. A second
/// archive, for this kind of machine alone, also has the caches for faster starts: one for machines
/// of one or two processors, where the launcher chooses the collector, one for those of more.
final class ArchiveWithJava {
    /// What the launcher is told of the machine while it makes each cache.
    private static final List<Integer> PROCESSORS = List.of(2, 4);

    private ArchiveWithJava() {}

    static Path make(Packaged packaged, Path out) throws IOException, InterruptedException {
        Path stage = Folders.empty(out.resolve("archive"));
        String name = packaged.distribution().name();
        Path program = stage.resolve(name);
        packaged.program(program);
        String archive = name + "-linux-" + packaged.target().debian;
        Path made = out.resolve(archive + ".tar.gz");
        Sbom.write(packaged, List.of(), program.resolve("sbom.cdx.json"));
        Files.deleteIfExists(Packaged.bill(made));
        Files.copy(program.resolve("sbom.cdx.json"), Packaged.bill(made));
        Path packed = Folders.pack(stage, name, false, made);
        if (packaged.target() != Target.own()) {
            return packed;
        }
        cache(stage, program, Folders.empty(out.resolve("archive-processors")));
        Path cached = out.resolve(archive + "-cache.tar.gz");
        Files.deleteIfExists(Packaged.bill(cached));
        Files.copy(Packaged.bill(made), Packaged.bill(cached));
        return Folders.pack(stage, name, false, cached);
    }

    /// Has the program make its caches where it lies. They go by the times of the jars, which are
    /// those of the archive, and not by their folder.
    private static void cache(Path stage, Path program, Path commands)
            throws IOException, InterruptedException {
        Folders.settle(stage);
        Path nproc = commands.toAbsolutePath().resolve("nproc");
        for (int processors : PROCESSORS) {
            Files.writeString(nproc, "#!/bin/sh\necho " + processors + "\n");
            Folders.run("chmod", "755", nproc.toString());
            Folders.run(
                    "env",
                    "-i",
                    "HOME=/",
                    "PATH=" + nproc.getParent() + ":/usr/bin:/bin",
                    program.resolve("margay").toString(),
                    "cache",
                    "--kind",
                    "both");
        }
        try (var all = Files.newDirectoryStream(program.resolve("cache"))) {
            for (Path file : all) {
                if (!file.toString().endsWith(".aot")) {
                    Files.delete(file);
                }
            }
        }
    }
}
