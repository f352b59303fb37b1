package io.margay.frameworks.javax;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.TomcatConfig;
import io.margay.compat.account.AccountLine;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.compat.tomcat.server.TomcatPlan;
import io.margay.testkit.SelfSigned;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.h2.Driver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The base of a Tomcat 9 with three hosts, TLS, realms, a pool, valves, libraries that
/// applications share and nineteen WARs for javax, as it stands: Margay must answer what Tomcat 9
/// answers.
final class Tomcat9BaseTest {
    private static final List<String> HOSTS =
            List.of("main.example", "shop.example", "old.example");

    /// Where each application is served.
    private static final Map<Application, String> AT = new EnumMap<>(Application.class);

    static {
        Application[] all = Application.values();
        for (int i = 0; i < all.length; i++) {
            AT.put(all[i], HOSTS.get(i % HOSTS.size()));
        }
    }

    private static final String NO_APPLICATION =
            "where no application is, both answer 404; here in plain text";

    private static final String EACH_REQUEST =
            "the user of a session is not asked for again in Tomcat, which lets any password pass; "
                    + "here the credentials of each request count";

    /// What is answered otherwise, with the reason. One that does not differ any more fails the
    /// test, too.
    private static final Map<String, String> EXCEPTIONS =
            Map.ofEntries(
                    Map.entry("main.example /", NO_APPLICATION),
                    Map.entry("main.example /none", NO_APPLICATION),
                    Map.entry("www.main.example /", NO_APPLICATION),
                    Map.entry("www.main.example /none", NO_APPLICATION),
                    Map.entry("unknown.example /", NO_APPLICATION),
                    Map.entry("unknown.example /none", NO_APPLICATION),
                    Map.entry("main.example /who/in/who.jsp bob:secret", EACH_REQUEST),
                    Map.entry("main.example /who/in/who.jsp eve:tea_time", EACH_REQUEST),
                    Map.entry("main.example /who/in/who.jsp ada:wrong", EACH_REQUEST),
                    Map.entry("old.example /moved/in/who.jsp bob:secret", EACH_REQUEST),
                    Map.entry("old.example /moved/in/who.jsp eve:tea_time", EACH_REQUEST),
                    Map.entry("old.example /moved/in/who.jsp ada:wrong", EACH_REQUEST));

    @TempDir static Path temp;
    private static Path base;
    private static SSLContext trusting;
    private static TomcatPlan plan;
    private static Tomcat9 tomcat;
    private static MargayServer margay;

    @BeforeAll
    static void start() throws Exception {
        base = Files.createDirectories(temp.toRealPath().resolve("base"));
        Path home = Path.of(System.getProperty("margay.tomcat9")).toRealPath();
        Tomcat9.settings(home, base);
        Path files =
                Path.of(System.getProperty("margay.javax"))
                        .toRealPath()
                        .resolve("tests/src/test/resources/base");
        copy(files, base);
        SelfSigned site =
                SelfSigned.make(
                        base.resolve("conf"),
                        "site",
                        "EC",
                        List.of("DNS:*.example", "IP:127.0.0.1"));
        site.store(base.resolve("conf/site.p12"), "site", "changeit".toCharArray());
        trusting = site.trusting();
        applications();
        tomcat = Tomcat9.ofBase(home, base);
        CatalinaBase read = CatalinaBase.read(base, Map.of());
        plan = read.plan();
        margay =
                MargayServer.start(
                        TomcatConfig.of(plan).withWork(temp.resolve("work")), DeployProgress.NONE);
    }

    /// Puts WARs into the folders of the hosts, and libraries into `lib`.
    private static void applications() throws IOException {
        Map<String, String> folders =
                Map.of("main.example", "webapps", "shop.example", "shops", "old.example", "old");
        for (String folder : folders.values()) {
            Files.createDirectories(base.resolve(folder));
        }
        AT.forEach((one, host) ->
                war(one.folder(), base.resolve(folders.get(host) + one.path() + ".war")));
        war(base.resolve("who"), base.resolve("webapps/who.war"));
        war(base.resolve("who"), base.resolve("shops/who.war"));
        war(base.resolve("who"), base.resolve("shops/other.war"));
        Path lib = Files.createDirectories(base.resolve("lib"));
        URL driver = Driver.class.getProtectionDomain().getCodeSource().getLocation();
        Files.copy(Path.of(driver.getPath()), lib.resolve("h2.jar"));
        for (Application one : List.of(Application.STRUTS1, Application.SPRING5)) {
            Path alone = temp.resolve("without-libraries" + one.path());
            copy(one.folder(), alone);
            try (Stream<Path> jars = Files.list(alone.resolve("WEB-INF/lib"))) {
                for (Path jar : jars.toList()) {
                    Files.move(jar, lib.resolve(jar.getFileName()), REPLACE_EXISTING);
                }
            }
            war(alone, base.resolve("webapps" + one.path() + "-a.war"));
            war(alone, base.resolve("webapps" + one.path() + "-b.war"));
        }
    }

    private static void war(Path folder, Path war) {
        int code =
                ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(
                                System.out,
                                System.err,
                                "-cMf",
                                war.toString(),
                                "-C",
                                folder.toString(),
                                ".");
        assertEquals(0, code, war.toString());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.deleteIfExists(target);
                    Files.copy(file, target);
                }
            }
        }
    }

    @AfterAll
    static void stop() {
        if (margay != null) {
            margay.close();
        }
        if (tomcat != null) {
            tomcat.close();
        }
    }

    private static Visitor here(String host, boolean tls) {
        return visitor(margay.ports(), host, tls);
    }

    private static Visitor there(String host, boolean tls) {
        return visitor(tomcat.ports(), host, tls);
    }

    private static Visitor visitor(List<Integer> ports, String host, boolean tls) {
        return new Visitor(
                (tls ? "https" : "http") + "://127.0.0.1:" + ports.get(tls ? 1 : 0),
                host,
                tls ? trusting : null);
    }

    @Test
    void everythingInTheFiles_isHonoured_butForOneValveOfAHost() {
        List<String> changed = plan.failures().stream().map(AccountLine::toString).toList();
        assertEquals(1, changed.size(), changed::toString);
        assertTrue(
                changed.getFirst()
                        .endsWith("SemaphoreValve: each application has its own concurrency"),
                changed::toString);
    }

    @ParameterizedTest
    @EnumSource
    void application_ofAFramework_isAnsweredAlike(Application one) throws Exception {
        String host = AT.getOrDefault(one, "");
        try (Visitor here = here(host, false);
                Visitor there = there(host, false)) {
            Visitor.compare(one, here, there);
        }
    }

    @Test
    void libraries_thatApplicationsShare_serveThemAlike() throws Exception {
        for (String name : List.of("/struts1-a", "/struts1-b")) {
            try (Visitor here = here("main.example", false);
                    Visitor there = there("main.example", false)) {
                Visitor.compare(
                        visitor -> {
                            visitor.get(name + "/order.jsp");
                            visitor.form(name + "/order.do", "item", "tea", "amount", "0");
                            visitor.form(name + "/order.do", "item", "tea", "amount", "3");
                        },
                        List.of("An amount is needed", "ordered tea"),
                        here,
                        there);
            }
        }
        for (String name : List.of("/spring5-a", "/spring5-b")) {
            try (Visitor here = here("main.example", false);
                    Visitor there = there("main.example", false)) {
                Visitor.compare(
                        visitor -> {
                            visitor.post(name + "/orders", "application/json", "{\"tea\":3}");
                            visitor.get(name + "/orders/tea");
                        },
                        List.of("-> 201"),
                        here,
                        there);
            }
        }
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void pages_ofAllHosts_areAnsweredAlike() throws Exception {
        List<String> questions = new ArrayList<>();
        for (String host : List.of("main.example", "www.main.example", "unknown.example")) {
            for (String path : List.of("/", "/who", "/who/", "/who/?q=%C3%A9", "/none")) {
                questions.add(host + " " + path);
            }
        }
        for (String place :
                List.of("main.example /who", "shop.example /who", "old.example /moved")) {
            for (String path :
                    List.of(
                            "/",
                            "/index.jsp",
                            "/goods.jsp",
                            "/count.jsp",
                            "/count.jsp",
                            "/lost",
                            "/fail.jsp",
                            "/in/who.jsp",
                            "/in/who.jsp ada:secret",
                            "/in/who.jsp bob:secret",
                            "/in/who.jsp eve:tea_time",
                            "/in/who.jsp ada:wrong",
                            "/WEB-INF/web.xml",
                            "/META-INF/context.xml")) {
                questions.add(place + path);
            }
        }
        questions.add("shop.example /other/in/who.jsp");
        questions.add("main.example /who/in/who.jsp tls ada:secret");
        questions.add("main.example /who/ tls");
        questions.add("shop.example /who/ tls");
        questions.add("main.example /who/ forwarded");
        Map<String, Visitor> visitors = new TreeMap<>();
        Map<String, String> differences = new TreeMap<>();
        try {
            for (String question : questions) {
                String expected = answer(question, true, visitors);
                String actual = answer(question, false, visitors);
                if (!expected.equals(actual)) {
                    differences.put(question, "\n" + expected + "--- here\n" + actual);
                }
            }
        } finally {
            visitors.values().forEach(Visitor::close);
        }
        TreeSet<String> alike = new TreeSet<>(EXCEPTIONS.keySet());
        alike.removeAll(differences.keySet());
        differences.keySet().removeAll(EXCEPTIONS.keySet());
        assertEquals(Map.of(), differences);
        assertEquals(Set.of(), alike, "exceptions that are none any more");
    }

    /// @param question host, path, and what else there is: `tls`, `forwarded`, `user:password`
    private static String answer(String question, boolean ofTomcat, Map<String, Visitor> visitors)
            throws IOException {
        String[] words = question.split(" ");
        boolean tls = question.contains(" tls");
        List<String> fields = new ArrayList<>();
        for (String word : List.of(words).subList(2, words.length)) {
            if (word.equals("forwarded")) {
                fields.addAll(
                        List.of("X-Forwarded-For", "192.0.2.7", "X-Forwarded-Proto", "https"));
            } else if (word.contains(":")) {
                fields.addAll(List.of("Authorization", basic(word.replace('_', ' '))));
            }
        }
        Visitor visitor =
                visitors.computeIfAbsent(
                        words[0] + tls + ofTomcat,
                        _ -> ofTomcat ? there(words[0], tls) : here(words[0], tls));
        return visitor.answer(words.length > 1 ? words[1] : "/", fields.toArray(String[]::new));
    }
}
