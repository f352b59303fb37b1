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
import java.util.Set;

/// Apache httpd 2.4 of Debian with the event module and Debian's numbers of threads: files, or in
/// front of another server by one of its modules, several back ends balanced.
///
/// @param mode how a front end treats its connections, where that is not the default
record Httpd(String variant, Mode mode, String title, List<String> modules) implements LabServer {
    /// What front ends are compared in beside their modules.
    enum Mode {
        DEFAULT(""),
        /// A process per connection, as many as connections from the start.
        PREFORK("-prefork"),
        /// A connection to the back end per request.
        ONCE("-once"),
        /// The target's address holds a part of the request's, by a pattern.
        MATCH("-match"),
        /// A process has fewer connections to the back end than threads.
        NARROW("-narrow"),
        /// With the modules, the access log and the requests per connection of Debian's package.
        DEBIAN("-debian");

        private final String suffix;

        Mode(String suffix) {
            this.suffix = suffix;
        }
    }

    private static final int NARROW_CONNECTIONS = 5;

    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");
    private static final String FILES = "files";
    private static final String GZIP = "gzip";
    private static final String JK = "mod_jk";
    private static final String AJP = "proxy_ajp";
    private static final List<String> BALANCER =
            List.of("slotmem_shm", "lbmethod_byrequests", "proxy_balancer");

    /// What every variant loads, beside the module that has its processes and threads.
    private static final List<String> BASE =
            List.of("authz_core", "mime", "reqtimeout", "socache_shmcb", "ssl");

    /// What Debian's package loads beside that.
    private static final List<String> DEBIAN =
            List.of(
                    "access_compat",
                    "alias",
                    "auth_basic",
                    "authn_core",
                    "authn_file",
                    "authz_host",
                    "authz_user",
                    "autoindex",
                    "deflate",
                    "dir",
                    "env",
                    "filter",
                    "negotiation",
                    "setenvif",
                    "status");

    private static final String DEBIAN_SETTINGS =
            """
            MaxKeepAliveRequests 100
            LogFormat "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"" combined
            CustomLog access.log combined
            AddOutputFilterByType DEFLATE text/html text/plain text/xml text/css
            """;

    static List<LabServer> variants() {
        List<String> ajp = List.of("proxy", "proxy_ajp");
        List<LabServer> all = new ArrayList<>();
        all.add(new Httpd(FILES, Mode.DEFAULT, "httpd", List.of("dir")));
        all.add(
                new Httpd(
                        GZIP,
                        Mode.DEFAULT,
                        "httpd, mod_deflate",
                        List.of("dir", "filter", "deflate")));
        for (Mode mode : Mode.values()) {
            if (mode != Mode.MATCH) {
                all.add(front(JK, mode, "httpd + mod_jk", List.of("jk")));
            }
            if (mode != Mode.DEBIAN) {
                all.add(front(AJP, mode, "httpd + mod_proxy_ajp", ajp));
            }
            if (mode == Mode.DEFAULT || mode == Mode.PREFORK) {
                List<String> http = List.of("proxy", "proxy_http");
                all.add(front("proxy_http", mode, "httpd + mod_proxy_http", http));
            }
        }
        all.add(front("balancer", Mode.DEFAULT, "httpd + mod_proxy_balancer, AJP", ajp));
        return all;
    }

    private static Httpd front(String variant, Mode mode, String title, List<String> modules) {
        String words =
                switch (mode) {
                    case DEFAULT -> "";
                    case PREFORK -> ", prefork";
                    case ONCE -> ", a connection per request";
                    case MATCH -> ", ProxyPassMatch with $1";
                    case NARROW -> ", " + NARROW_CONNECTIONS + " connections per process";
                    case DEBIAN -> ", as Debian has it";
                };
        return new Httpd(variant, mode, title + words, modules);
    }

    @Override
    public String name() {
        return "httpd:" + variant + mode.suffix;
    }

    @Override
    public Set<Feature> features() {
        if (variant.equals(GZIP)) {
            return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.GZIP);
        }
        return isFront()
                ? EnumSet.of(Feature.HTTP, Feature.HTTPS)
                : EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.FILES);
    }

    @Override
    public boolean isFront() {
        return !variant.equals(FILES) && !variant.equals(GZIP);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        if (here.tools().find("apache2").isEmpty()) {
            return Availability.missing(
                    "apt install apache2" + (variant.equals(JK) ? " libapache2-mod-jk" : ""));
        }
        return Files.exists(MODULES.resolve("mod_" + modules.getLast() + ".so"))
                ? Availability.HERE
                : Availability.missing(
                        "apt install " + (variant.equals(JK) ? "libapache2-mod-jk" : "apache2"));
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        return Tools.firstLine(here.tools().get("apache2").toString(), "-v")
                .replace("Server version: ", "");
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        StringBuilder conf =
                new StringBuilder(base(setting, loaded(setting), mode == Mode.PREFORK));
        switch (variant) {
            case FILES -> conf.append(files(setting));
            case GZIP ->
                    conf.append(files(setting))
                            .append("AddOutputFilterByType DEFLATE text/html text/plain\n");
            case JK -> {
                Files.writeString(setting.folder().resolve("workers.properties"), workers(setting));
                conf.append(jk());
            }
            default -> conf.append(proxy(setting));
        }
        if (mode == Mode.DEBIAN) {
            conf.append(DEBIAN_SETTINGS);
        }
        return List.of(tier(setting, conf.append(tls(setting)).toString()));
    }

    private List<String> loaded(Setting setting) {
        List<String> all = new ArrayList<>(BASE);
        if (mode == Mode.DEBIAN) {
            all.addAll(DEBIAN);
        }
        all.addAll(modules);
        if (balanced(setting)) {
            all.addAll(BALANCER);
        }
        return all;
    }

    /// What Debian's package has, with more modules and settings.
    static Tier debian(Setting setting, List<String> modules, String settings) throws IOException {
        List<String> all = new ArrayList<>(BASE);
        all.addAll(DEBIAN);
        all.addAll(modules);
        String conf = base(setting, all, false) + DEBIAN_SETTINGS + settings;
        return tier(setting, conf + tls(setting));
    }

    private boolean balanced(Setting setting) {
        return !variant.equals(JK)
                && isFront()
                && (setting.backs().size() > 1 || variant.equals("balancer"));
    }

    /// The part of the configuration that all have, with those modules loaded.
    ///
    /// @param prefork whether each connection has a process, not a thread
    static String base(Setting setting, List<String> more, boolean prefork) throws IOException {
        List<String> modules = new ArrayList<>();
        modules.add(prefork ? "mpm_prefork" : "mpm_event");
        modules.addAll(more);
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
                MaxRequestWorkers 150
                MaxConnectionsPerChild 0
                TypesConfig /etc/mime.types
                """
                        .formatted(setting.http()));
        conf.append(
                prefork
                        ? """
                        StartServers 150
                        MinSpareServers 50
                        MaxSpareServers 150
                        """
                        : """
                        StartServers 2
                        MinSpareThreads 25
                        MaxSpareThreads 75
                        ThreadLimit 64
                        ThreadsPerChild 25
                        """);
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

    private String jk() {
        return """
        JkWorkersFile workers.properties
        JkLogFile jk.log
        JkLogLevel error
        JkShmFile run/jk.shm
        JkMount /* lab
        JkMountCopy All
        """
                + (mode == Mode.ONCE ? "JkOptions +DisableReuse\n" : "");
    }

    private String workers(Setting setting) {
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

    private String worker(String name, Setting back) {
        return """
        worker.%1$s.type=ajp13
        worker.%1$s.host=127.0.0.1
        worker.%1$s.port=%2$d
        worker.%1$s.secret=%3$s
        """
                        .formatted(name, back.ajp(), back.secret())
                + (mode == Mode.NARROW
                        ? "worker.%s.connection_pool_size=%d%n".formatted(name, NARROW_CONNECTIONS)
                        : "");
    }

    private String proxy(Setting setting) {
        boolean ajp = !variant.equals("proxy_http");
        if (!balanced(setting)) {
            String url = url(setting.back(), ajp);
            return (mode == Mode.MATCH
                            ? "ProxyPassMatch \"^/(.*)$\" \"" + url + "/$1\""
                            : "ProxyPass \"/\" \"" + url + "/\"")
                    + secret(setting.back(), ajp)
                    + switch (mode) {
                        case ONCE -> " disablereuse=on";
                        case NARROW -> " max=" + NARROW_CONNECTIONS;
                        case DEFAULT, PREFORK, MATCH, DEBIAN -> "";
                    }
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
                        setting.here().tools().get("apache2").toString(),
                        // A group of its own: prefork ends by a signal to its whole group.
                        "-DNO_DETACH",
                        "-d",
                        setting.folder().toString(),
                        "-f",
                        file.toString()),
                Map.of(),
                List.of(setting.http(), setting.https()));
    }
}
