package io.margay.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.TransportChoice;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.GatewayConfig;
import io.margay.app.migrate.TomcatConfig;
import io.margay.compat.account.AccountLine;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.tomcat.server.ServerXml;
import io.margay.compat.tomcat.server.TomcatPlan;
import io.margay.gateway.rules.CompressionRule;
import io.margay.testkit.CorpusFile;
import io.margay.transport.ClientCertificates;
import io.margay.transport.ClientCertificates.CrlCheck;
import io.margay.transport.ClientCertificates.OcspCheck;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.ClientAuth;
import io.margay.transport.unix.SocketAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What `migrate` writes is read as what `gateway` serves from: the same hosts, rules, upstreams
/// and listeners, hence the same answers.
final class MigrationTest {
    private static final Path CORPUS =
            Path.of(
                    System.getProperty("margay.root", ".."),
                    "compat/httpd/src/test/resources/compat");

    @TempDir Path folder;

    static List<CorpusFile> corpus() {
        return CorpusFile.all(CORPUS).stream()
                .filter(file ->
                        file.lines("account", Map.of()).stream()
                                .noneMatch(line -> line.startsWith("wrong")))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("corpus")
    void configuration_migrated_isReadAsTheSame(CorpusFile file) throws IOException {
        Map<String, String> values =
                Map.of(
                        "LISTEN", "8080",
                        "A_AJP", "8009",
                        "B_AJP", "8019",
                        "A_HTTP", "8081",
                        "B_HTTP", "8082",
                        "DIR", folder.toString());
        GatewayPlan plan = GatewayFiles.read(file.write(folder, values), Map.of());
        MargayConfig direct = GatewayConfig.of(plan, List.of());
        String yaml = ConfigWriter.write(direct);
        Path written = folder.resolve("margay.yaml");
        Files.writeString(written, yaml);
        ConfigFile.Result result = ConfigFile.read(written, Map.of());
        assertEquals(List.of(), result.problems(), yaml);
        MargayConfig migrated = result.get();
        assertEquals(lines(direct.hosts()), lines(migrated.hosts()), yaml);
        assertEquals(direct.hosts(), migrated.hosts(), yaml);
        assertEquals(
                lines(List.copyOf(direct.upstreams().values())),
                lines(List.copyOf(migrated.upstreams().values())),
                yaml);
        assertEquals(direct.upstreams(), migrated.upstreams());
        assertEquals(direct.listeners(), migrated.listeners());
    }

    private static String lines(List<?> list) {
        return list.stream().map(Object::toString).collect(Collectors.joining("\n"));
    }

    @Test
    void compression_ofAConnector_isThatOfAllHosts() throws IOException {
        Path file = folder.resolve("server.xml");
        Files.writeString(
                file,
                """
                <Server>
                  <Service name="Catalina">
                    <Connector port="8080" compression="on" compressionMinSize="500"
                               compressibleMimeType="text/html, application/json"
                               noCompressionUserAgents=".*MSIE 6.*" />
                    <Connector port="8081" />
                    <Connector port="8082" compression="much" />
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps" />
                    </Engine>
                  </Service>
                </Server>
                """);
        TomcatPlan result = ServerXml.read(file);
        assertEquals(
                List.of("6 CHANGED", "7 WRONG"),
                result.account().stream()
                        .filter(AccountLine::isFailure)
                        .map(line -> line.place().line() + " " + line.verdict())
                        .toList());
        MargayConfig config = TomcatConfig.of(result);
        CompressionRule rule = config.hosts().getFirst().changes().compression().getFirst();
        assertEquals(501, rule.what().minBytes());
        assertTrue(rule.what().takes("text/html;charset=UTF-8"));
        assertFalse(rule.what().takes("text/css"));
        assertEquals("^(?:.*MSIE 6.*)$", rule.when().getFirst().regex());
        Path written = folder.resolve("margay.yaml");
        Files.writeString(written, ConfigWriter.write(config));
        assertEquals(
                config.hosts().getFirst().changes(),
                ConfigFile.read(written, Map.of()).get().hosts().getFirst().changes());
    }

    @Test
    void serverXml_ofTomcat_becomesListenersHostsAndContexts() throws IOException {
        Files.createDirectories(folder.resolve("webapps"));
        Path file = Files.createDirectories(folder.resolve("conf")).resolve("server.xml");
        Files.writeString(
                file,
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <Server port="8005" shutdown="SHUTDOWN">
                  <Listener className="org.apache.catalina.startup.VersionLoggerListener" />
                  <Service name="Catalina">
                    <Connector port="8080" protocol="HTTP/1.1" redirectPort="8443" />
                    <Connector port="8081" protocol="org.apache.coyote.http11.Http11NioProtocol"
                               maxConnections="500" acceptCount="50" />
                    <Connector protocol="AJP/1.3" address="::1" port="8009" secret="s3cret" />
                    <Engine name="Catalina" defaultHost="localhost" jvmRoute="tc1">
                      <Realm className="org.apache.catalina.realm.LockOutRealm" />
                      <Host name="localhost" appBase="webapps" unpackWARs="true">
                        <Valve className="org.apache.catalina.valves.AccessLogValve"
                               directory="logs" prefix="access" suffix=".txt"
                               pattern="%h %l %u %t &quot;%r&quot; %s %b" />
                      </Host>
                      <Host name="shop.example" appBase="shop">
                        <Alias>www.shop.example</Alias>
                        <Context path="/cart" docBase="cart.war">
                          <Parameter name="currency" value="EUR" />
                        </Context>
                        <Valve className="org.apache.catalina.valves.RemoteIpValve" />
                      </Host>
                    </Engine>
                  </Service>
                </Server>
                """);
        TomcatPlan result = ServerXml.read(file);
        assertEquals("tc1", result.route());
        List<ListenerSettings> listeners = TomcatConfig.of(result).listeners();
        assertEquals(
                List.of("*:8080", "*:8081", "[::1]:8009"),
                listeners.stream().map(one -> one.endpoint().toString()).toList());
        assertEquals(TransportChoice.NIO, listeners.get(1).accepting().transport());
        assertEquals(500, listeners.get(1).accepting().connectionsMax());
        assertEquals("ajp", listeners.get(2).scheme());
        assertEquals(List.of("localhost", "*"), TomcatConfig.of(result).hosts().getFirst().names());
        var shop = TomcatConfig.of(result).hosts().getLast();
        assertEquals(List.of("shop.example", "www.shop.example"), shop.names());
        assertTrue(
                shop.routes()
                        .contains(
                                new RouteSettings.App(
                                        "/cart",
                                        folder.resolve("shop/cart.war"),
                                        Map.of("currency", "EUR"))),
                shop::toString);
        assertEquals(
                List.of(
                        file + ":7: Connector redirectPort",
                        file + ":8: Connector redirectPort",
                        file + ":10: Realm LockOutRealm",
                        file + ":21: Valve RemoteIpValve"),
                result.account().stream()
                        .filter(AccountLine::isFailure)
                        .map(line -> line.place() + ": " + line.directive())
                        .toList());
        Path written = folder.resolve("margay.yaml");
        Files.writeString(written, ConfigWriter.write(TomcatConfig.of(result)));
        ConfigFile.Result read = ConfigFile.read(written, Map.of());
        assertEquals(List.of(), read.problems());
        assertEquals(TomcatConfig.of(result).listeners(), read.get().listeners());
        assertEquals(TomcatConfig.of(result).hosts().size(), read.get().hosts().size());
    }

    private TomcatPlan connector(String attributes, String hosts) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        for (String name : List.of("a.pem", "b.pem", "ca.pem", "ca.crl")) {
            Files.writeString(conf.resolve(name), "");
        }
        Path file = conf.resolve("server.xml");
        Files.writeString(
                file,
                "<Server><Service><Connector port=\"8443\" SSLEnabled=\"true\" "
                        + attributes
                        + ">"
                        + hosts
                        + "</Connector></Service></Server>");
        return ServerXml.read(file);
    }

    @Test
    void sslHostConfigs_ofTomcat_becomeSettingsByName() throws IOException {
        TomcatPlan result =
                connector(
                        "defaultSSLHostConfigName=\"www.example\"",
                        """
                        <SSLHostConfig hostName="admin.example" certificateVerification="required"
                            caCertificateFile="conf/ca.pem" certificateVerificationDepth="1"
                            certificateRevocationListFile="conf/ca.crl" protocols="TLSv1.3"
                            ocspEnabled="true" ocspSoftFail="false">
                          <Certificate certificateFile="conf/a.pem" />
                        </SSLHostConfig>
                        <SSLHostConfig hostName="www.example" protocols="all,-TLSv1.3">
                          <Certificate certificateFile="conf/b.pem" />
                        </SSLHostConfig>
                        """);
        TlsConfig tls =
                Objects.requireNonNull(TomcatConfig.of(result).listeners().getFirst().tls());
        assertEquals(ClientAuth.NONE, tls.clients().auth());
        assertEquals(List.of("TLSv1.2"), tls.protocols());
        TlsConfig admin = tls.named().getFirst().tls();
        Path conf = folder.resolve("conf");
        assertEquals(List.of("admin.example"), tls.named().getFirst().names());
        assertEquals(
                ClientCertificates.of(ClientAuth.NEED, conf.resolve("ca.pem"))
                        .withCrls(List.of(conf.resolve("ca.crl")), CrlCheck.CHAIN)
                        .withDepthMax(1)
                        .withOcsp(OcspCheck.HARD),
                admin.clients());
        assertEquals(conf.resolve("a.pem"), admin.certificates().getFirst().cert());
        assertEquals(List.of("TLSv1.3"), admin.protocols());
        Path written = folder.resolve("margay.yaml");
        Files.writeString(written, ConfigWriter.write(TomcatConfig.of(result)));
        ConfigFile.Result read = ConfigFile.read(written, Map.of());
        assertEquals(List.of(), read.problems());
        assertEquals(TomcatConfig.of(result).listeners(), read.get().listeners());
    }

    @Test
    void clientAuth_ofEarlierTomcat_isTheListeners() throws IOException {
        TomcatPlan result =
                connector(
                        "SSLCertificateFile=\"conf/a.pem\" SSLVerifyClient=\"optional\""
                                + " SSLCACertificateFile=\"conf/ca.pem\" ocspEnabled=\"true\"",
                        "");
        TlsConfig tls =
                Objects.requireNonNull(TomcatConfig.of(result).listeners().getFirst().tls());
        assertEquals(
                ClientCertificates.of(ClientAuth.WANT, folder.resolve("conf/ca.pem"))
                        .withOcsp(OcspCheck.SOFT),
                tls.clients());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clientAuth=\"want\"",
                "SSLVerifyClient=\"perhaps\"",
                "SSLVerifyClient=\"require\" SSLCACertificateFile=\"c\" SSLVerifyDepth=\"x\"",
                "SSLProtocol=\"TLSv1.1\""
            })
    void clientAuth_thatCannotBeFollowed_isWrong(String attributes) throws IOException {
        TomcatPlan result = connector("SSLCertificateFile=\"conf/a.pem\" " + attributes, "");
        assertTrue(
                result.account().stream()
                        .anyMatch(line -> line.verdict() == AccountLine.Verdict.WRONG),
                () -> result.account().toString());
    }

    @Test
    void unixSocket_ofAConnector_isItsListener_openToAllUnlessSaid() throws IOException {
        Path file = folder.resolve("server.xml");
        String xml =
                """
                <Server><Service>
                  <Connector unixDomainSocketPath="/run/t.sock" />
                  <Connector port="-1" unixDomainSocketPath="u.sock"
                      unixDomainSocketPathPermissions="rw-rw----" />
                  <Engine defaultHost="a"><Host name="a" /></Engine>
                </Service></Server>
                """;
        Files.writeString(file, xml);
        MargayConfig config = TomcatConfig.of(ServerXml.read(file));
        List<ListenerSettings> listeners = config.listeners();
        assertEquals(Endpoint.unix(Path.of("/run/t.sock")), listeners.getFirst().endpoint());
        assertEquals(
                SocketAccess.permissions("rw-rw-rw-"),
                listeners.getFirst().accepting().access().permissions());
        assertEquals(SocketAccess.defaults(), listeners.getLast().accepting().access());
        Path written = folder.resolve("margay.yaml");
        Files.writeString(written, ConfigWriter.write(config));
        assertEquals(listeners, ConfigFile.read(written, Map.of()).get().listeners());
        Files.writeString(file, xml.replace("<Server>", "<Server><Service name=\"other\" />"));
        assertTrue(
                ServerXml.read(file).account().stream()
                        .anyMatch(line -> line.toString().contains("distinguished by ports")));
    }

    @Test
    void keepAliveTimeout_ofAnAjpConnector_isThatOfItsListenerAlone() throws IOException {
        Path file = folder.resolve("server.xml");
        Files.writeString(
                file,
                """
                <Server><Service>
                  <Connector port="8009" protocol="AJP/1.3" secret="s3cret"
                      connectionTimeout="7000" keepAliveTimeout="5000" />
                  <Engine defaultHost="a"><Host name="a" /></Engine>
                </Service></Server>
                """);
        MargayConfig config = TomcatConfig.of(ServerXml.read(file));
        var ajp = Objects.requireNonNull(config.listeners().getFirst().ajp());
        assertEquals(Duration.ofSeconds(5), ajp.config().idleTimeout());
        assertEquals(Duration.ofSeconds(7), config.limits().http().idleTimeout());
        assertEquals(config.listeners(), migrated(config).listeners());
    }

    @Test
    void protocols_withoutH2_leaveHttp2OutOfListeners() throws IOException {
        Path file = folder.resolve("httpd.conf");
        for (boolean http2 : List.of(true, false)) {
            Files.writeString(
                    file,
                    "Listen 8080\nProtocols " + (http2 ? "h2c " : "") + "http/1.1\nJkMount /* w\n");
            GatewayPlan plan = GatewayFiles.read(List.of(file), Map.of());
            MargayConfig config = GatewayConfig.of(plan, List.of());
            assertEquals(http2, config.listeners().getFirst().http2());
            assertEquals(config.listeners(), migrated(config).listeners());
        }
    }

    private MargayConfig migrated(MargayConfig config) throws IOException {
        Path written = folder.resolve("margay.yaml");
        Files.writeString(written, ConfigWriter.write(config));
        return ConfigFile.read(written, Map.of()).get();
    }

    @Test
    void serverXml_withAnExternalEntity_isNotFollowed() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.txt"), "hidden");
        Path file = folder.resolve("server.xml");
        Files.writeString(
                file,
                "<!DOCTYPE Server [<!ENTITY x SYSTEM \""
                        + secret.toUri()
                        + "\">]><Server><Service><Engine defaultHost=\"a\"><Host name=\"a\">"
                        + "<Alias>&x;</Alias></Host></Engine></Service></Server>");
        TomcatPlan result = ServerXml.read(file);
        assertTrue(
                TomcatConfig.of(result).hosts().stream()
                        .noneMatch(host -> host.names().contains("hidden")),
                () -> TomcatConfig.of(result).hosts().toString());
    }
}
