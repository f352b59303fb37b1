package io.margay.lab.servers.kinds;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Apache httpd in front of PHP's own process manager, as Debian sets it up, with OPcache: over a
/// Unix socket, with a connection per request. (A kept connection would hold one of PHP's
/// processes, and each of httpd's would keep its own.)
record HttpdPhp() implements LabServer {
    private static final String ROOT_USER =
            """
            user = www-data
            group = www-data
            listen.owner = www-data
            """;

    private static final List<String> VERSIONS = List.of("", "8.5", "8.4", "8.3", "8.2", "8.1");

    static List<LabServer> variants() {
        return List.of(new HttpdPhp());
    }

    @Override
    public String name() {
        return "httpd:php";
    }

    @Override
    public String title() {
        return "httpd + php-fpm";
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.PHP);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        boolean httpd = here.tools().find("apache2").isPresent();
        return httpd && fpm(here.tools()).isPresent()
                ? Availability.HERE
                : Availability.missing("apt install" + (httpd ? "" : " apache2") + " php-fpm");
    }

    private static Optional<Path> fpm(Tools tools) {
        return VERSIONS.stream()
                .map(version -> tools.find("php-fpm" + version))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        Tools tools = here.tools();
        String httpd = Tools.firstLine(tools.get("apache2").toString(), "-v");
        return httpd.replace("Server version: ", "")
                + ", "
                + Tools.firstLine(fpm(tools).orElseThrow().toString(), "-v");
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        // Short, as paths of sockets must be.
        Path socket =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "margay-lab-" + setting.ajp() + ".sock");
        Files.deleteIfExists(socket);
        Path pool =
                Files.writeString(
                        setting.folder().resolve("php-fpm.conf"),
                        """
                        [global]
                        error_log = %s/php-fpm-error.log
                        daemonize = no
                        [lab]
                        %slisten = %s
                        pm = static
                        pm.max_children = 10
                        """
                                .formatted(setting.folder(), root ? ROOT_USER : "", socket));
        List<String> command = new ArrayList<>();
        command.add(fpm(setting.here().tools()).orElseThrow().toString());
        command.addAll(List.of("-F", "-y", pool.toString()));
        String conf =
                Httpd.base(
                                setting,
                                List.of(
                                        "authz_core",
                                        "mime",
                                        "reqtimeout",
                                        "socache_shmcb",
                                        "ssl",
                                        "proxy",
                                        "proxy_fcgi"),
                                false)
                        + Httpd.files(setting)
                        + """
                        <FilesMatch "\\.php$">
                          SetHandler "proxy:unix:%s|fcgi://localhost"
                        </FilesMatch>
                        """
                                .formatted(socket)
                        + Httpd.tls(setting);
        return List.of(
                new Tier("php-fpm", command, Map.of(), List.of(), List.of(socket)),
                Httpd.tier(setting, conf));
    }
}
