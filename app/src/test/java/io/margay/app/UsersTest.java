package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Users of a file, logging in with a client that is not ours: curl.
final class UsersTest {
    @TempDir Path folder;

    private Path users(String password) throws IOException {
        return Files.writeString(
                folder.resolve("users.xml"),
                "<tomcat-users><user username='ada' password='"
                        + password
                        + "' roles='in'/>"
                        + "</tomcat-users>");
    }

    private Path app(String method) throws IOException {
        return Wars.with("index.html", "inside")
                .and(
                        "WEB-INF/web.xml",
                        """
                        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                          <security-constraint>
                            <web-resource-collection>
                              <web-resource-name>all</web-resource-name>
                              <url-pattern>/*</url-pattern>
                            </web-resource-collection>
                            <auth-constraint><role-name>in</role-name></auth-constraint>
                          </security-constraint>
                          <login-config>
                            <auth-method>%s</auth-method>
                            <realm-name>the "realm"</realm-name>
                          </login-config>
                          <security-role><role-name>in</role-name></security-role>
                        </web-app>
                        """
                                .formatted(method))
                .folder(folder.resolve(method));
    }

    private Margay.Builder builder(String method) throws IOException {
        return Margay.builder().http(0).work(folder.resolve("work")).app("/", app(method));
    }

    private static String curl(MargayServer server, String... options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Program.of("curl"), "-s", "--max-time", "30"));
        command.addAll(List.of("-w", " %{http_code}"));
        command.addAll(List.of(options));
        command.add("http://127.0.0.1:" + server.ports().getFirst() + "/index.html?a=b");
        Process process = new ProcessBuilder(command).start();
        try {
            byte[] output = process.getInputStream().readAllBytes();
            assertTrue(process.waitFor(30, TimeUnit.SECONDS));
            String text = new String(output, StandardCharsets.UTF_8);
            return text.startsWith("<") ? text.substring(text.lastIndexOf(' ') + 1) : text;
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BASIC", "DIGEST"})
    void login_withCurl_isByPassword(String method) throws Exception {
        String option = "--" + method.toLowerCase(java.util.Locale.ROOT);
        try (MargayServer server = builder(method).users(users("secret")).start()) {
            assertEquals("inside 200", curl(server, option, "-u", "ada:secret"));
            assertEquals("401", curl(server, option, "-u", "ada:wrong"));
            assertEquals("401", curl(server));
        }
    }

    @Test
    void realms_ofADatabase_areAskedAfterTheFile() throws Exception {
        String url = "jdbc:h2:mem:users-test;DB_CLOSE_DELAY=-1";
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop all objects");
            statement.execute("create table u (n varchar(9), p varchar(9), r varchar(9))");
            statement.execute("insert into u values ('bob', 'hidden', 'in')");
        }
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 0}]
                        hosts: [{routes: {/: {app: %s}}}]
                        deploy:
                          users: %s
                          realms:
                            - database: jdbc/users
                              password-query: select p from u where n = ?
                              role-query: select r from u where n = ?
                          lock-out: {failures-max: 2}
                        resources: {jdbc/users: {url: "%s"}}
                        """
                                .formatted(app("BASIC"), users("secret"), url));
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            assertEquals("inside 200", curl(server, "-u", "ada:secret"));
            assertEquals("inside 200", curl(server, "-u", "bob:hidden"));
            assertEquals("401", curl(server, "-u", "bob:secret"));
            assertEquals("401", curl(server, "-u", "bob:secret"));
            assertEquals("401", curl(server, "-u", "bob:hidden"), "locked out");
            assertEquals("inside 200", curl(server, "-u", "ada:secret"));
        }
        Files.writeString(
                file, Files.readString(file) + "work: %s\n".formatted(folder.resolve("other")));
        MargayConfig unlocked = ConfigFile.read(file, Map.of()).get();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                MargayServer server = MargayServer.start(unlocked, DeployProgress.NONE)) {
            statement.execute("alter table u rename to away");
            for (int i = 0; i < 3; i++) {
                assertEquals("401", curl(server, "-u", "bob:hidden"), "as with Tomcat");
            }
            statement.execute("alter table away rename to u");
            assertEquals("inside 200", curl(server, "-u", "bob:hidden"), "not locked out");
        }
    }

    @Test
    void users_none_closeWhatIsConstrained() throws Exception {
        try (MargayServer server = builder("BASIC").start()) {
            assertEquals("403", curl(server, "-u", "ada:secret"));
        }
    }

    @Test
    void reload_withOtherPasswords_isInForce() throws Exception {
        try (MargayServer server = builder("BASIC").users(users("secret")).start()) {
            Path changed = users("another one");
            server.reload(builder("BASIC").users(changed).config());
            assertEquals("inside 200", curl(server, "-u", "ada:another one"));
            assertEquals("401", curl(server, "-u", "ada:secret"));
        }
    }

    /// The reload deploys the application anew, since its users are others.
    @Test
    void name_thatIsLockedOut_staysSoOverAReload() throws Exception {
        try (MargayServer server = builder("BASIC").users(users("secret")).start()) {
            for (int i = 0; i < 5; i++) {
                assertEquals("401", curl(server, "-u", "ada:wrong"));
            }
            Path changed = users("another one");
            server.reload(builder("BASIC").users(changed).config());
            assertEquals("401", curl(server, "-u", "ada:another one"));
        }
    }

    @Test
    void wrongPasswords_countForApplicationsAndHostsTogether() throws Exception {
        Files.createDirectories(folder.resolve("files"));
        Files.writeString(folder.resolve("files/index.html"), "a file");
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 0}]
                        hosts:
                          - routes: {/: {app: %s}}
                          - name: files
                            access: {login: {server-users: true}}
                            routes: {/: {files: files}}
                        deploy: {users: %s, lock-out: {failures-max: 2}}
                        """
                                .formatted(app("BASIC"), users("secret")));
        MargayConfig config = ConfigFile.read(file, Map.of()).get();
        try (MargayServer server = MargayServer.start(config, DeployProgress.NONE)) {
            assertEquals("401", curl(server, "-u", "ada:wrong"));
            String other = curl(server, "-H", "Host: files", "-u", "ada:wrong");
            assertTrue(other.endsWith("401"), other);
            assertEquals("401", curl(server, "-u", "ada:secret"), "locked out");
        }
    }

    @Test
    void users_malformed_failTheStart() throws Exception {
        Path bad = Files.writeString(folder.resolve("bad.xml"), "<tomcat-users><user/>");
        StartException e =
                assertThrows(StartException.class, () -> builder("BASIC").users(bad).start());
        assertTrue(String.valueOf(e.getMessage()).contains("bad.xml"), e.getMessage());
    }
}
