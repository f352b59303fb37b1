package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A package for Fedora, Red Hat Enterprise Linux, SUSE and their kin, by `rpmbuild`: [HostFiles]
/// and a unit, as [DebianPackage] has them.
final class RpmPackage {
    private static final String RELEASE = "1";

    private RpmPackage() {}

    static Path make(Packaged packaged, Path out) throws IOException, InterruptedException {
        Path work = Folders.empty(out.resolve("rpm")).toAbsolutePath();
        Path stage = work.resolve("stage");
        Path additions = packaged.additions();
        HostFiles.lay(packaged, stage);
        Path documents = stage.resolve("usr/share/doc/margay");
        HostFiles.changes(stage, documents.resolve("CHANGELOG.md"));
        Path licences = Files.createDirectories(stage.resolve("usr/share/licenses/margay"));
        Files.copy(
                packaged.distribution().folder().resolve("LICENSE"), licences.resolve("LICENSE"));
        Files.move(documents.resolve("NOTICE"), licences.resolve("NOTICE"));
        Path units = Files.createDirectories(stage.resolve("usr/lib/systemd/system"));
        Files.copy(additions.resolve("margay.service"), units.resolve("margay.service"));
        Path rotation = Files.createDirectories(stage.resolve("etc/logrotate.d"));
        Files.copy(additions.resolve("margay.logrotate"), rotation.resolve("margay"));
        Folders.run("gzip", "-n", "-9", "" + stage.resolve("usr/share/man/man1/margay.1"));
        Folders.settle(stage);
        Path spec = work.resolve("margay.spec");
        SystemLibraries wanted = SystemLibraries.of(packaged.java());
        Files.writeString(
                spec,
                Files.readString(additions.resolve("margay.spec"))
                        .replace("@VERSION@", packaged.distribution().version())
                        .replace("@RELEASE@", RELEASE)
                        .replace("@STAGE@", stage.toString())
                        .replace("@REQUIRES@", requires(wanted)));
        build(packaged.target(), work, spec);
        Path made;
        try (Stream<Path> all = Files.walk(work.resolve("RPMS"))) {
            made = all.filter(file -> file.toString().endsWith(".rpm")).findFirst().orElseThrow();
        }
        Path target = out.resolve(String.valueOf(made.getFileName()));
        Folders.run("mv", "-f", made.toString(), target.toString());
        Sbom.write(packaged, List.of(), Packaged.bill(target));
        return target;
    }

    private static String requires(SystemLibraries wanted) {
        List<String> lines = new ArrayList<>();
        lines.add("Requires: libc.so.6(GLIBC_" + wanted.glibc() + ")(64bit)");
        wanted.names().forEach(name -> lines.add("Requires: " + name + "()(64bit)"));
        return String.join("\n", lines);
    }

    private static void build(Target target, Path work, Path spec)
            throws IOException, InterruptedException {
        Path log = work.resolve("log");
        Process rpmbuild =
                new ProcessBuilder(
                                "env",
                                "SOURCE_DATE_EPOCH=" + Folders.CHANGED.getEpochSecond(),
                                "rpmbuild",
                                "-bb",
                                "--target",
                                target.kernel + "-linux",
                                "--define",
                                "_topdir " + work,
                                "--define",
                                "_buildhost margay.invalid",
                                "--define",
                                "use_source_date_epoch_as_buildtime 1",
                                "--define",
                                "clamp_mtime_to_source_date_epoch 1",
                                spec.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (rpmbuild.waitFor() != 0) {
            throw new IOException("rpmbuild failed:\n" + Files.readString(log));
        }
    }
}
