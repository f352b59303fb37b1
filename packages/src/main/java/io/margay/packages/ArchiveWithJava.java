package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The distribution with Java in it: unpacked, it runs on a machine that has none.
final class ArchiveWithJava {
    private ArchiveWithJava() {}

    static Path make(Packaged packaged, Path out) throws IOException, InterruptedException {
        Path stage = Folders.empty(out.resolve("archive"));
        String name = packaged.distribution().name();
        Path program = stage.resolve(name);
        packaged.program(program);
        Path made = out.resolve(name + "-linux-" + packaged.target().debian + ".tar.gz");
        Sbom.write(packaged, List.of(), program.resolve("sbom.cdx.json"));
        Files.deleteIfExists(Packaged.bill(made));
        Files.copy(program.resolve("sbom.cdx.json"), Packaged.bill(made));
        return Folders.pack(stage, name, false, made);
    }
}
