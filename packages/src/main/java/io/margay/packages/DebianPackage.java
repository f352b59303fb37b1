package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A package of Debian's: the program with its Java in `/usr/lib/margay`, a unit of systemd, a
/// user, a configuration that upgrades leave alone.
final class DebianPackage {
    private DebianPackage() {}

    static Path make(Packaged packaged, Path out) throws IOException, InterruptedException {
        Path stage = Folders.empty(out.resolve("deb"));
        packaged.program(stage.resolve("usr/lib/margay"));
        packaged.site(stage);
        Path additions = packaged.additions();
        Path bin = Files.createDirectories(stage.resolve("usr/bin"));
        Files.createSymbolicLink(bin.resolve("margay"), Path.of("../lib/margay/margay"));
        Path units = Files.createDirectories(stage.resolve("lib/systemd/system"));
        Files.copy(additions.resolve("margay.service"), units.resolve("margay.service"));
        Path about = Files.createDirectories(stage.resolve("usr/share/doc/margay"));
        Files.copy(packaged.distribution().folder().resolve("LICENSE"), about.resolve("copyright"));
        control(packaged, stage);
        Folders.settle(stage);
        Path deb = out.resolve("margay_" + version(packaged) + "_" + Machine.DEBIAN_NAME + ".deb");
        Folders.run(
                "dpkg-deb",
                "--root-owner-group",
                "-Zxz",
                "--build",
                stage.toString(),
                deb.toString());
        return deb;
    }

    private static String version(Packaged packaged) {
        return packaged.distribution().version();
    }

    private static void control(Packaged packaged, Path stage) throws IOException {
        Path folder = Files.createDirectories(stage.resolve("DEBIAN"));
        Files.writeString(folder.resolve("conffiles"), "/etc/margay/margay.yaml\n");
        Files.writeString(
                folder.resolve("control"),
                """
                Package: margay
                Version: %s
                Architecture: %s
                Maintainer: The Margay developers <margay@localhost>
                Installed-Size: %d
                Depends: libc6, adduser
                Recommends: libssl3 | libssl3t64
                Section: httpd
                Priority: optional
                Description: web server, Jakarta Servlet container and gateway
                 Serves web applications (WAR files) and files over HTTP/1.1, HTTP/2 and AJP,
                 and stands in front of others as httpd with mod_jk or mod_proxy does.
                 Brings its own Java.
                """
                        .formatted(
                                version(packaged),
                                Machine.DEBIAN_NAME,
                                Folders.bytes(stage) >> 10));
        for (String script : new String[] {"postinst", "prerm", "postrm"}) {
            Path target = folder.resolve(script);
            Files.copy(packaged.additions().resolve(script), target);
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }
}
