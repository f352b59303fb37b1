package io.margay.lab.servers;

import io.margay.lab.machine.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Apache httpd in front of PHP's own process manager, as Debian sets it up, with OPcache.
record HttpdPhp() implements LabServer {
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
    public Availability availability(Surroundings surroundings) {
        boolean httpd = surroundings.tools().find("apache2").isPresent();
        return httpd && fpm(surroundings.tools()).isPresent()
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
    public String version(Surroundings surroundings) throws IOException {
        Tools tools = surroundings.tools();
        String httpd = Tools.firstLine(tools.get("apache2").toString(), "-v");
        return httpd.replace("Server version: ", "")
                + ", "
                + Tools.firstLine(fpm(tools).orElseThrow().toString(), "-v");
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        Path pool =
                Files.writeString(
                        setting.folder().resolve("php-fpm.conf"),
                        """
                        [global]
                        error_log = %s/php-fpm-error.log
                        daemonize = no
                        [lab]
                        %slisten = 127.0.0.1:%d
                        pm = static
                        pm.max_children = 10
                        """
                                .formatted(
                                        setting.folder(),
                                        root ? "user = www-data\ngroup = www-data\n" : "",
                                        setting.ajp()));
        List<String> command = new ArrayList<>();
        command.add(fpm(setting.surroundings().tools()).orElseThrow().toString());
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
                        <Proxy "fcgi://127.0.0.1:%1$d" enablereuse=on max=10>
                        </Proxy>
                        <FilesMatch "\\.php$">
                          SetHandler "proxy:fcgi://127.0.0.1:%1$d"
                        </FilesMatch>
                        """
                                .formatted(setting.ajp())
                        + Httpd.tls(setting);
        return List.of(
                new Tier("php-fpm", command, Map.of(), List.of(setting.ajp())),
                Httpd.tier(setting, conf));
    }
}
