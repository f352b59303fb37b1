package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A package of Debian's: [HostFiles], a unit of systemd, a user, the rotation of its logs. What
/// Debian's rules say of scripts, digests and documents is done by debhelper.
final class DebianPackage {
    /// Of the packaging, for one version of the program.
    private static final String REVISION = "1";

    /// In their order; the first ones add files, the last ones look at what is there.
    private static final List<List<String>> STEPS =
            List.of(
                    List.of("dh_installchangelogs", "CHANGELOG.md"),
                    List.of("dh_installdocs"),
                    List.of("dh_installsystemd"),
                    List.of("dh_installlogrotate"),
                    List.of("dh_lintian"),
                    List.of("dh_compress", "--exclude=.md", "--exclude=.json", "--exclude=.svg"),
                    List.of("dh_fixperms"),
                    List.of("dh_installdeb"),
                    List.of("dh_gencontrol"),
                    List.of("dh_md5sums"));

    private DebianPackage() {}

    static Path make(Packaged packaged, Path out) throws IOException, InterruptedException {
        Path work = Folders.empty(out.resolve("deb"));
        Path debian = Files.createDirectories(work.resolve("debian"));
        Path stage = debian.resolve("margay");
        HostFiles.lay(packaged, stage);
        HostFiles.changes(stage, work.resolve("CHANGELOG.md"));
        for (String name : List.of("service", "logrotate", "postinst", "postrm")) {
            Files.copy(
                    packaged.additions().resolve("margay." + name),
                    debian.resolve("margay." + name));
        }
        Files.copy(
                packaged.additions().resolve("lintian-overrides"),
                debian.resolve("margay.lintian-overrides"));
        Copyright.write(packaged, debian.resolve("copyright"));
        String version = packaged.distribution().version() + "-" + REVISION;
        Files.writeString(debian.resolve("changelog"), changelog(version));
        Files.writeString(debian.resolve("control"), control(packaged));
        for (List<String> step : STEPS) {
            run(packaged.target(), work, step);
        }
        Folders.settle(stage);
        String name = "margay_" + version + "_" + packaged.target().debian + ".deb";
        run(
                packaged.target(),
                work,
                List.of("dh_builddeb", "--destdir=" + out.toAbsolutePath(), "--", "-Zxz"));
        Path made = out.resolve(name);
        Sbom.write(packaged, List.of(), Packaged.bill(made));
        return made;
    }

    private static void run(Target target, Path work, List<String> step)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("env", "-C", work.toString()));
        words.add("DEB_HOST_ARCH=" + target.debian);
        words.add("SOURCE_DATE_EPOCH=" + Folders.CHANGED.getEpochSecond());
        words.add("DPKG_DEB_THREADS_MAX=2");
        words.addAll(step);
        Folders.run(words.toArray(String[]::new));
    }

    private static String changelog(String version) {
        return """
        margay (%s) stable; urgency=medium

          * See /usr/share/doc/margay/changelog.gz for what has changed.

         -- The Margay developers <developers@margay.io>  %s
        """
                .formatted(
                        version,
                        DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", Locale.ROOT)
                                .format(Folders.CHANGED.atOffset(ZoneOffset.UTC)));
    }

    private static String control(Packaged packaged) throws IOException, InterruptedException {
        SystemLibraries wanted = SystemLibraries.of(packaged.java());
        List<String> depends = new ArrayList<>(List.of("libc6 (>= " + wanted.glibc() + ")"));
        depends.addAll(wanted.packages().values().stream().sorted().distinct().toList());
        return """
        Source: margay
        Section: httpd
        Priority: optional
        Maintainer: The Margay developers <developers@margay.io>
        Build-Depends: debhelper-compat (= 13)
        Standards-Version: 4.6.2
        Rules-Requires-Root: no
        Homepage: https://margay.io

        Package: margay
        Architecture: amd64 arm64
        Pre-Depends: ${misc:Pre-Depends}
        Depends: %s, adduser, ${misc:Depends}
        Recommends: libssl3 | libssl3t64
        Description: web server, Jakarta Servlet container and gateway
         Serves web applications (WAR files) and files over HTTP/1.1, HTTP/2 and AJP,
         and stands in front of others as httpd with mod_jk or mod_proxy does.
         Brings its own Java.
        """
                .formatted(String.join(", ", depends));
    }
}
