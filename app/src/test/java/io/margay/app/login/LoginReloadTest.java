package io.margay.app.login;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import io.margay.app.MargayServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a reload leaves of what is known of users, and of the connections to their directories.
final class LoginReloadTest {
    private static final String ADA =
            "ada:$2y$05$zFtZ9TbDUPWOWub6xKYMdONcC8HMOFavyjH6KwBMBVYdV4s/bQTL6\n";
    private static final String BOB = "bob:$apr1$wwgko7hg$cwxkbcbRC.lybDr58VGG80\n";

    @TempDir Path folder;

    private final Connections connections = new Connections();
    private InMemoryDirectoryServer directory;

    /// Counts the connections to the directory, by its log.
    private static final class Connections extends Handler {
        final AtomicInteger made = new AtomicInteger();
        final AtomicInteger open = new AtomicInteger();

        @Override
        public void publish(LogRecord event) {
            if (event.getMessage().contains(" CONNECT ")) {
                made.incrementAndGet();
                open.incrementAndGet();
            } else if (event.getMessage().contains(" DISCONNECT ")) {
                open.decrementAndGet();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void start() throws Exception {
        for (String name : List.of("file", "server", "table")) {
            Path path = Files.createDirectories(folder.resolve("files/" + name));
            Files.writeString(path.resolve("a.txt"), "a");
        }
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=example");
        config.setSchema(null);
        config.setAccessLogHandler(connections);
        config.setListenerConfigs(
                InMemoryListenerConfig.createLDAPConfig(
                        "main", InetAddress.getLoopbackAddress(), 0, null));
        directory = new InMemoryDirectoryServer(config);
        directory.add("dn: dc=example", "objectClass: domain", "dc: example");
        for (String name : List.of("reader", "ada", "bob")) {
            directory.add(
                    "dn: uid=" + name + ",dc=example",
                    "objectClass: person",
                    "uid: " + name,
                    "userPassword: secret");
        }
        directory.startListening();
    }

    @AfterEach
    void stop() {
        directory.shutDown(true);
    }

    private MargayServer server(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("margay.yaml"), yaml);
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private void reload(MargayServer server, String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("margay.yaml"), yaml);
        server.reload(ConfigFile.read(file, Map.of()).get());
    }

    /// @param more of the directory
    private String ldap(String password, String more) {
        return """
        listeners: [{http: 127.0.0.1:0}]
        hosts:
          - access:
              login:
                name: a
                ldap:
                  url: ldap://127.0.0.1:%d
                  base: dc=example
                  bind-dn: uid=reader,dc=example
                  bind-password: %s
                  %s
            routes: {/: {files: files}}
        """
                .formatted(directory.getListenPort(), password, more);
    }

    private static int status(MargayServer server, String path, String name) throws IOException {
        byte[] octets = (name + ":secret").getBytes(StandardCharsets.UTF_8);
        var address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: a\r\nAuthorization: Basic "
                            + Base64.getEncoder().encodeToString(octets)
                            + "\r\n\r\n");
            return client.response().status();
        }
    }

    private static void assertLogsIn(MargayServer server, String name) throws IOException {
        assertEquals(200, status(server, "/file/a.txt", name), name);
    }

    @Test
    void directoryThatIsTheSame_isNotConnectedToAnew() throws Exception {
        String yaml = ldap("secret", "");
        try (MargayServer server = server(yaml)) {
            assertLogsIn(server, "ada");
            int before = connections.made.get();
            reload(server, yaml);
            assertLogsIn(server, "ada");
            assertEquals(before, connections.made.get(), "the password is remembered");
            assertLogsIn(server, "bob");
            assertEquals(before + 1, connections.made.get(), "one to log bob in, none to search");
            reload(server, yaml + "limits: {login: {remembered-max: 5}}\n");
            assertLogsIn(server, "ada");
            assertEquals(before + 2, connections.made.get(), "it is not remembered any more");
        }
        Eventually.holds("the server has left", () -> connections.open.get() == 0);
    }

    @Test
    void directoryThatHasChanged_isAskedAnew_andItsConnectionsAreClosed() throws Exception {
        try (MargayServer server = server(ldap("secret", ""))) {
            assertLogsIn(server, "ada");
            Eventually.holds("one is kept", () -> connections.open.get() == 1);
            int before = connections.made.get();
            reload(server, ldap("secret", "timeout: 6s"));
            Eventually.holds("it is closed", () -> connections.open.get() == 0);
            assertLogsIn(server, "ada");
            assertEquals(before + 2, connections.made.get());
            // A password is not shown by texts of the configuration, and counts nevertheless.
            reload(server, ldap("other", "timeout: 6s"));
            assertEquals(500, status(server, "/file/a.txt", "ada"));
        }
    }

    @Test
    void userWhomADirectoryKnowsBySeveralSpellings_hasTheNameOfTheEntry() throws Exception {
        String require = "      require: [{user: [ada]}]\n    routes:";
        String yaml = ldap("secret", "").replace("    routes:", require);
        String asGiven = ldap("secret", "name-attribute: as given").replace("    routes:", require);
        try (MargayServer server = server(yaml)) {
            for (String name : List.of("ada", "ADA", " ada")) {
                assertEquals(200, status(server, "/file/a.txt", name), name);
            }
            assertEquals(401, status(server, "/file/a.txt", "BOB"));
            reload(server, asGiven);
            assertEquals(200, status(server, "/file/a.txt", "ada"));
            assertEquals(401, status(server, "/file/a.txt", "ADA"));
        }
    }

    private String users() {
        return """
        listeners: [{http: 127.0.0.1:0}]
        hosts:
          - access:
              sections:
                - {path: /file, login: {name: a, users: users}, require: [{any-user: true}]}
                - {path: /server, login: {name: a, server-users: true}, require: [{any-user: true}]}
                - path: /table
                  login:
                    name: a
                    database:
                      resource: jdbc/users
                      password-query: select password from users where name = ?
                  require: [{any-user: true}]
            routes: {/: {files: files}}
        resources: {jdbc/users: {url: "jdbc:h2:mem:login-reload"}}
        deploy: {users: users.xml}
        """;
    }

    private void users(String xml, String lines) throws IOException {
        Files.writeString(
                folder.resolve("users.xml"),
                "<tomcat-users>"
                        + "<user username='ada' password='secret' roles='in'/>"
                        + xml
                        + "</tomcat-users>");
        Files.writeString(folder.resolve("users"), ADA + lines);
    }

    @Test
    void userWhoHasBeenRemoved_isOutAfterTheReload() throws Exception {
        users("<user username='bob' password='secret' roles='in'/>", BOB);
        List<String> paths = List.of("/file/a.txt", "/server/a.txt", "/table/a.txt");
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:login-reload");
                Statement statement = database.createStatement()) {
            statement.execute("create table users(name varchar(9), password varchar(9))");
            statement.execute("insert into users values('ada', 'secret'), ('bob', 'secret')");
            try (MargayServer server = server(users())) {
                for (String path : paths) {
                    assertEquals(200, status(server, path, "ada"), path);
                    assertEquals(200, status(server, path, "bob"), path);
                }
                users("", "");
                statement.execute("delete from users where name = 'bob'");
                assertEquals(200, status(server, "/server/a.txt", "bob"), "he is remembered");
                assertEquals(200, status(server, "/table/a.txt", "bob"), "he is remembered");
                reload(server, users());
                for (String path : paths) {
                    assertEquals(401, status(server, path, "bob"), path);
                    assertEquals(200, status(server, path, "ada"), path);
                }
            }
        }
    }
}
