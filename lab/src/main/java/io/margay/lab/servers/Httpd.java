package io.margay.lab.servers;

import io.margay.lab.machine.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Apache httpd 2.4 of Debian with the event module and Debian's numbers of threads: files, or in
/// front of another server by one of its modules, several back ends balanced.
record Httpd(String variant, String title, List<String> modules) implements LabServer {
    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");
    private static final String FILES = "files";
    private static final String JK = "mod_jk";
    private static final String AJP = "proxy_ajp";
    private static final List<String> BALANCER =
            List.of("slotmem_shm", "lbmethod_byrequests", "proxy_balancer");

    /// What every variant loads.
    private static final List<String> BASE =
            List.of("mpm_event", "authz_core", "mime", "reqtimeout", "socache_shmcb", "ssl");

    static List<LabServer> variants() {
        return List.of(
                new Httpd(FILES, "httpd", List.of("dir")),
                new Httpd(JK, "httpd + mod_jk", List.of("jk")),
                new Httpd(AJP, "httpd + mod_proxy_ajp", List.of("proxy", "proxy_ajp")),
                new Httpd("proxy_http", "httpd + mod_proxy_http", List.of("proxy", "proxy_http")),
                new Httpd(
                        "balancer",
                        "httpd + mod_proxy_balancer, AJP",
                        List.of("proxy", "proxy_ajp")));
    }

    @Override
    public String name() {
        return "httpd:" + variant;
    }

    @Override
    public Set<Feature> features() {
        return isFront()
                ? EnumSet.of(Feature.HTTP, Feature.HTTPS)
                : EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.FILES);
    }

    @Override
    public boolean isFront() {
        return !variant.equals(FILES);
    }

    @Override
    public Availability availability(Surroundings surroundings) {
        if (surroundings.tools().find("apache2").isEmpty()) {
            return Availability.missing(
                    "apt install apache2" + (variant.equals(JK) ? " libapache2-mod-jk" : ""));
        }
        return Files.exists(MODULES.resolve("mod_" + modules.getLast() + ".so"))
                ? Availability.HERE
                : Availability.missing(
                        "apt install " + (variant.equals(JK) ? "libapache2-mod-jk" : "apache2"));
    }

    @Override
    public String version(Surroundings surroundings) throws IOException {
        return Tools.firstLine(surroundings.tools().get("apache2").toString(), "-v")
                .replace("Server version: ", "");
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        StringBuilder conf = new StringBuilder(base(setting, loaded(setting)));
        switch (variant) {
            case FILES -> conf.append(files(setting));
            case JK -> {
                Files.writeString(setting.folder().resolve("workers.properties"), workers(setting));
                conf.append(jk());
            }
            default -> conf.append(proxy(setting));
        }
        return List.of(tier(setting, conf.append(tls(setting)).toString()));
    }

    private List<String> loaded(Setting setting) {
        List<String> all = new ArrayList<>(BASE);
        all.addAll(modules);
        if (balanced(setting)) {
            all.addAll(BALANCER);
        }
        return all;
    }

    private boolean balanced(Setting setting) {
        return !variant.equals(JK)
                && isFront()
                && (setting.backs().size() > 1 || variant.equals("balancer"));
    }

    /// The part of the configuration that all have, with those modules loaded.
    static String base(Setting setting, List<String> modules) throws IOException {
        Files.createDirectories(setting.folder().resolve("run"));
        StringBuilder conf = new StringBuilder();
        conf.append("ServerRoot \"").append(setting.folder()).append("\"\n");
        for (String module : modules) {
            conf.append("LoadModule ").append(module).append("_module ");
            conf.append(MODULES.resolve("mod_" + module + ".so")).append('\n');
        }
        if ("root".equals(System.getProperty("user.name"))) {
            conf.append("User www-data\nGroup www-data\n");
        }
        conf.append(
                """
                ServerName localhost
                PidFile run/httpd.pid
                DefaultRuntimeDir run
                Mutex sem
                ErrorLog error.log
                LogLevel error
                Listen 127.0.0.1:%d
                Timeout 300
                KeepAlive On
                MaxKeepAliveRequests 0
                KeepAliveTimeout 5
                RequestReadTimeout header=20-40,minrate=500 body=10,minrate=500
                StartServers 2
                MinSpareThreads 25
                MaxSpareThreads 75
                ThreadLimit 64
                ThreadsPerChild 25
                MaxRequestWorkers 150
                MaxConnectionsPerChild 0
                TypesConfig /etc/mime.types
                """
                        .formatted(setting.http()));
        return conf.toString();
    }

    /// The TLS host, which does what the plain one does.
    static String tls(Setting setting) {
        return """
        Listen 127.0.0.1:%d
        SSLSessionCache none
        <VirtualHost 127.0.0.1:%d>
          SSLEngine on
          SSLCertificateFile "%s"
          SSLCertificateKeyFile "%s"
        </VirtualHost>
        """
                .formatted(
                        setting.https(),
                        setting.https(),
                        setting.certificate().pem(),
                        setting.certificate().key());
    }

    static String files(Setting setting) {
        return """
        DocumentRoot "%s"
        <Directory "%s">
          Options FollowSymLinks
          AllowOverride None
          Require all granted
        </Directory>
        """
                .formatted(setting.webapps(), setting.webapps());
    }

    private static String jk() {
        return """
        JkWorkersFile workers.properties
        JkLogFile jk.log
        JkLogLevel error
        JkShmFile run/jk.shm
        JkMount /* lab
        JkMountCopy All
        """;
    }

    private static String workers(Setting setting) {
        StringBuilder text = new StringBuilder("worker.list=lab\n");
        if (setting.backs().size() == 1) {
            return text.append(worker("lab", setting.back())).toString();
        }
        List<String> members = new ArrayList<>();
        for (Setting back : setting.backs()) {
            members.add(back.route());
            text.append(worker(back.route(), back));
        }
        text.append("worker.lab.type=lb\nworker.lab.balance_workers=");
        return text.append(String.join(",", members)).append('\n').toString();
    }

    private static String worker(String name, Setting back) {
        return """
        worker.%1$s.type=ajp13
        worker.%1$s.host=127.0.0.1
        worker.%1$s.port=%2$d
        worker.%1$s.secret=%3$s
        """
                .formatted(name, back.ajp(), back.secret());
    }

    private String proxy(Setting setting) {
        boolean ajp = !variant.equals("proxy_http");
        if (!balanced(setting)) {
            return "ProxyPass \"/\" \""
                    + url(setting.back(), ajp)
                    + "/\""
                    + secret(setting.back(), ajp)
                    + "\n";
        }
        StringBuilder text = new StringBuilder("<Proxy \"balancer://lab\">\n");
        for (Setting back : setting.backs()) {
            text.append("  BalancerMember \"").append(url(back, ajp)).append("\" route=");
            text.append(back.route()).append(secret(back, ajp)).append('\n');
        }
        return text.append("</Proxy>\nProxyPass \"/\" \"balancer://lab/\"\n").toString();
    }

    private static String url(Setting back, boolean ajp) {
        return ajp ? "ajp://127.0.0.1:" + back.ajp() : "http://127.0.0.1:" + back.http();
    }

    private static String secret(Setting back, boolean ajp) {
        return ajp ? " secret=" + back.secret() : "";
    }

    /// Writes the configuration and says how to start it.
    static Tier tier(Setting setting, String conf) throws IOException {
        Path file = Files.writeString(setting.folder().resolve("httpd.conf"), conf);
        return new Tier(
                "httpd",
                List.of(
                        setting.surroundings().tools().get("apache2").toString(),
                        "-DFOREGROUND",
                        "-d",
                        setting.folder().toString(),
                        "-f",
                        file.toString()),
                Map.of(),
                List.of(setting.http(), setting.https()));
    }
}
