package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import io.margay.lab.site.ShopApp;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Servers of a whole site, with all that people switch on: TLS, HTTP/2, access log, compression,
/// logins and a database. The configuration of each is a resource with `${...}` where it depends on
/// the run.
record SiteServer(Kind kind) implements LabServer {
    private static final List<String> LIBRARIES =
            List.of("com.zaxxer:HikariCP:7.1.0", "org.postgresql:postgresql:42.7.14");
    private static final String LIBRARIES_FOLDER = "shop-hikari-7.1.0";

    private static final int HOSTS = 50;

    /// The servers.
    enum Kind {
        SHOP_MARGAY("shop:margay", "Margay with a shop", "shop-margay.yaml"),
        SHOP_TOMCAT("shop:tomcat", "Tomcat 11 with a shop", "shop-tomcat.xml"),
        SHOP_BEHIND(
                "shop:tomcat-behind",
                "Tomcat 11 with a shop, behind a front end",
                "shop-tomcat-behind.xml"),
        SHOP_NGINX("shop:nginx", "nginx with the files of a shop", "shop-nginx.conf"),
        SHOP_HTTPD("shop:httpd", "httpd + mod_jk with the files of a shop", "shop-httpd.conf"),
        HOSTS_MARGAY("hosts:margay", "Margay gateway with 50 hosts", "hosts-margay.yaml"),
        HOSTS_NGINX("hosts:nginx", "nginx with 50 hosts", "hosts-nginx.conf"),
        HOSTS_HAPROXY("hosts:haproxy", "HAProxy with 50 hosts", "hosts-haproxy.cfg"),
        HOSTS_HTTPD("hosts:httpd", "httpd + mod_jk with 50 hosts", "hosts-httpd.conf");

        private final String word;
        private final String title;
        private final String template;

        Kind(String word, String title, String template) {
            this.word = word;
            this.title = title;
            this.template = template;
        }

        boolean isFront() {
            return !word.startsWith("shop:") || this == SHOP_NGINX || this == SHOP_HTTPD;
        }

        /// A server of the lab that is the same program.
        private LabServer program() {
            return switch (this) {
                case SHOP_MARGAY, HOSTS_MARGAY -> new MargayServer(Build.HERE, "native", "inline");
                case SHOP_TOMCAT, SHOP_BEHIND -> Tomcat11.variants().getFirst();
                case SHOP_NGINX, HOSTS_NGINX -> new Nginx("proxy", "nginx");
                case HOSTS_HAPROXY -> new Haproxy(false);
                case SHOP_HTTPD, HOSTS_HTTPD ->
                        new Httpd("mod_jk", Httpd.Mode.DEBIAN, "httpd", List.of("jk"));
            };
        }
    }

    static List<LabServer> variants() {
        return Arrays.stream(Kind.values()).<LabServer>map(SiteServer::new).toList();
    }

    @Override
    public String name() {
        return kind.word;
    }

    @Override
    public String title() {
        return kind.title;
    }

    @Override
    public boolean isFront() {
        return kind.isFront();
    }

    @Override
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.HTTP2);
        if (!isFront()) {
            features.add(Feature.SHOP);
        }
        return features;
    }

    @Override
    public Availability availability(LabEnvironment here) {
        Availability program = kind.program().availability(here);
        if (!program.ready() || isFront()) {
            return program;
        }
        Availability database = Database.availability();
        return database.ready()
                ? here.maven().availability(LIBRARIES_FOLDER, "a driver of PostgreSQL")
                : database;
    }

    @Override
    public void fetch(LabEnvironment here) throws IOException {
        kind.program().fetch(here);
        libraries(here);
    }

    private static Path libraries(LabEnvironment here) throws IOException {
        return here.maven().jars(LIBRARIES_FOLDER, LIBRARIES);
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        return kind.program().version(here);
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        String text = configuration(setting);
        List<Tier> tiers = new ArrayList<>();
        if (!isFront()) {
            // A server behind a front end has no use for its port of HTTPS, another none for AJP.
            int port = kind == Kind.SHOP_BEHIND ? setting.https() : setting.ajp();
            ShopApp.make(
                    libraries(setting.here()),
                    Database.url(port),
                    setting.folder().resolve("webapps/shop"));
            Path conf = Files.createDirectories(setting.folder().resolve("conf"));
            Files.writeString(conf.resolve("tomcat-users.xml"), text("tomcat-users.xml", setting));
            tiers.add(Database.tier(setting, port));
        }
        tiers.add(
                switch (kind) {
                    case SHOP_MARGAY, HOSTS_MARGAY -> margay(setting, text);
                    case SHOP_TOMCAT -> tomcat(setting, text, setting.https());
                    case SHOP_BEHIND -> tomcat(setting, text, setting.ajp());
                    case SHOP_NGINX, HOSTS_NGINX -> Nginx.tier(setting, text);
                    case HOSTS_HAPROXY -> Haproxy.tier(setting, text);
                    case SHOP_HTTPD, HOSTS_HTTPD -> {
                        String workers = "workers.properties";
                        Files.writeString(
                                setting.folder().resolve(workers), text(workers, setting));
                        yield Httpd.debian(
                                setting, List.of("headers", "http2", "jk", "rewrite"), text);
                    }
                });
        return tiers;
    }

    /// The text of its file, without that of others beside it.
    String configuration(Setting setting) throws IOException {
        return text(kind.template, setting);
    }

    private static Tier margay(Setting setting, String text) throws IOException {
        Path file = Files.writeString(setting.folder().resolve("margay.yaml"), text);
        LabEnvironment here = setting.here();
        return new Tier(
                "margay",
                List.of(Build.HERE.launcher(here), "run", file.toString()),
                Build.environment(here),
                List.of(setting.http(), setting.https()));
    }

    private static Tier tomcat(Setting setting, String text, int port) throws IOException {
        Path home = Tomcat11.home(setting.here());
        Path conf = TomcatTier.base(setting, home, "logging.properties");
        Files.writeString(conf.resolve("web.xml"), Tomcat11.web(home, true));
        Files.writeString(conf.resolve("server.xml"), text);
        Tier tier = TomcatTier.of(setting, home, Tomcat11.OPENED);
        return new Tier(
                tier.name(), tier.command(), tier.environment(), List.of(setting.http(), port));
    }

    /// A resource: a line that begins with a mark stands for one for each host or member.
    private static String text(String name, Setting setting) throws IOException {
        Map<String, String> values = values(setting);
        try (InputStream in = SiteServer.class.getResourceAsStream("site/" + name)) {
            if (in == null) {
                throw new IOException(name + " is missing from the lab's jar");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            List<Map<String, String>> hosts = new ArrayList<>();
            for (int i = 1; i <= HOSTS; i++) {
                hosts.add(Map.of("n", String.valueOf(i)));
            }
            List<Map<String, String>> members =
                    setting.backs().stream().map(SiteServer::member).toList();
            return filled(each(each(text, "@hosts", hosts), "@members", members), values);
        }
    }

    /// Repeats each run of marked lines.
    private static String each(String text, String mark, List<Map<String, String>> all) {
        Pattern marked = Pattern.compile("(?m)(?:^" + mark + ".*\\n)+");
        return marked.matcher(text)
                .replaceAll(found -> {
                    String lines = found.group().replace(mark, "");
                    StringBuilder repeated = new StringBuilder();
                    all.forEach(values -> repeated.append(filled(lines, values)));
                    return Matcher.quoteReplacement(repeated.toString());
                });
    }

    private static String filled(String text, Map<String, String> values) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace("${" + value.getKey() + "}", value.getValue());
        }
        return filled;
    }

    private static Map<String, String> member(Setting back) {
        return Map.of(
                "member", back.route(),
                "member-http", String.valueOf(back.http()),
                "member-ajp", String.valueOf(back.ajp()),
                "member-secret", back.secret());
    }

    private static Map<String, String> values(Setting setting) {
        Map<String, String> values = new HashMap<>();
        values.put("http", String.valueOf(setting.http()));
        values.put("https", String.valueOf(setting.https()));
        values.put("ajp", String.valueOf(setting.ajp()));
        values.put("secret", setting.secret());
        values.put("folder", setting.folder().toString());
        values.put("cert", setting.certificate().pem().toString());
        values.put("key", setting.certificate().key().toString());
        values.put("both", setting.certificate().both().toString());
        values.put("nginx-user", Nginx.user());
        if (!setting.backs().isEmpty()) {
            values.put("back-folder", setting.back().folder().toString());
            values.put(
                    "routes",
                    setting.backs().stream().map(Setting::route).collect(Collectors.joining(",")));
        }
        return values;
    }
}
