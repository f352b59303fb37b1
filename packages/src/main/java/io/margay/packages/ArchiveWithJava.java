package io.margay.packages;

import java.io.IOException;
import java.nio.file.Path;

/// The distribution with Java in it: unpacked, it runs on a machine that has none.
final class ArchiveWithJava {
    private ArchiveWithJava() {}

    static Path make(Packaged packaged, Path out) throws IOException, InterruptedException {
        Path stage = Folders.empty(out.resolve("archive"));
        String name = packaged.distribution().name();
        packaged.program(stage.resolve(name));
        String file = name + "-linux-" + Machine.DEBIAN_NAME + ".tar.gz";
        return Folders.pack(stage, name, false, out.resolve(file));
    }
}
