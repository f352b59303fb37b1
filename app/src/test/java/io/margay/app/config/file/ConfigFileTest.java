package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.AdminSettings;
import io.margay.app.config.AjpSettings;
import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.ConfigException;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.Endpoint;
import io.margay.app.config.HostSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.RouteSettings.App;
import io.margay.app.config.RouteSettings.StaticFiles;
import io.margay.app.config.RouteSettings.Webapps;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.TransportChoice;
import io.margay.app.config.WorkerSettings;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.servlet.settings.LibraryScan;
import io.margay.testkit.TestCertificate;
import io.margay.transport.ClientCertificates;
import io.margay.transport.TlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigFileTest {
    @TempDir Path folder;

    private ConfigFolder files;

    @BeforeEach
    void makeFiles() throws IOException {
        files = new ConfigFolder(folder);
    }

    @Test
    void limits_ofPeers_areRead() throws IOException {
        PeerLimits limits =
                files.read(
                                """
                                hosts: [{rules: []}]
                                limits:
                                  peers: {replay-bytes-max: 1KiB, upgraded-idle: 2m}
                                  peer-responses: {fields-max: 7}
                                """)
                        .get()
                        .limits()
                        .peers();
        assertEquals(1024, limits.replayBytesMax());
        assertEquals(Duration.ofMinutes(2), limits.upgradedIdle());
        assertEquals(PeerLimits.defaults().interimsMax(), limits.interimsMax());
        assertEquals(7, limits.responses().fieldsMax());
    }

    @Test
    void tls_byName_inheritsFromTheListener() throws IOException {
        TlsConfig tls =
                files.read(
                                """
                                listeners:
                                  - https: 8443
                                    certificates: [{cert: site.pem, key: site.key}]
                                    client-certificate: need
                                    trust: ca.pem
                                    crl: [ca.pem]
                                    crl-check: leaf
                                    stapling: all
                                    sni:
                                      - names: Shop.example
                                        client-certificate: none
                                        protocols: [TLSv1.3]
                                      - names: ["*.admin.example", admin.example]
                                        verify-depth: 0
                                        crl: []
                                        stapling: none
                                hosts: [{rules: []}]
                                """)
                        .get()
                        .listeners()
                        .getFirst()
                        .tls();
        assertNotNull(tls);
        ClientCertificates own = tls.clients();
        assertEquals(TlsConfig.ClientAuth.NEED, own.auth());
        assertEquals(List.of(folder.resolve("ca.pem")), own.crls());
        assertEquals(ClientCertificates.CrlCheck.LEAF, own.crlCheck());
        TlsConfig.Named shop = tls.named().getFirst();
        assertEquals(List.of("shop.example"), shop.names());
        assertEquals(TlsConfig.ClientAuth.NONE, shop.tls().clients().auth());
        assertEquals(List.of("TLSv1.3"), shop.tls().protocols());
        assertEquals(tls.certificates(), shop.tls().certificates());
        assertEquals(TlsConfig.Stapling.Which.ALL, shop.tls().stapling().which());
        TlsConfig.Named admin = tls.named().get(1);
        assertEquals(TlsConfig.Stapling.Which.NONE, admin.tls().stapling().which());
        assertEquals(
                own.withDepthMax(0).withCrls(List.of(), own.crlCheck()), admin.tls().clients());
    }

    @Test
    void tls_thatCannotBe_isReported() throws IOException {
        assertEquals(
                List.of(
                        "margay.yaml:4:5: \"client-certificate\" needs the key \"trust\": the"
                                + " authorities that sign client certificates",
                        "margay.yaml:7:9: a.example is given twice"),
                files.problems(
                        """
                        listeners:
                          - https: 8443
                            certificates: [{cert: site.pem, key: site.key}]
                            client-certificate: want
                            sni:
                              - names: a.example
                              - names: A.example
                        hosts: [{rules: []}]
                        """));
    }

    @Test
    void host_thatAsksForACertificateByOneNameAlone_isAProblem() throws IOException {
        TestCertificate site = TestCertificate.in(folder);
        String text =
                """
                listeners:
                  - https: 8443
                    certificates: [{cert: %s, key: %s}]
                    sni: [{names: %s, client-certificate: need, trust: %s}]
                hosts: [{name: admin.example, aliases: [%s], rules: []}]
                """;
        for (String[] names :
                new String[][] {
                    {"[admin.example]", "alias.example"},
                    {"[alias.example]", "alias.example"},
                    {"['*.example']", "example"},
                    {"['*.admin.example', admin.example]", "'*.example'"}
                }) {
            String one = text.formatted(site.cert(), site.key(), names[0], site.cert(), names[1]);
            String problems = files.problems(one).toString();
            assertTrue(problems.contains("write both into \"names\" of one entry"), problems);
        }
        for (String[] names :
                new String[][] {
                    {"[admin.example, alias.example]", "alias.example"},
                    {"['*.example']", "a.b.example"},
                    {"[other.example]", "alias.example"}
                }) {
            String one = text.formatted(site.cert(), site.key(), names[0], site.cert(), names[1]);
            assertEquals(List.of(), files.problems(one));
        }
    }

    @Test
    void bodyTimeout_ofAGateway_isBelowThatOfItsMembers_unlessSet() throws IOException {
        String upstreams =
                """
                hosts: [{routes: {/: {gateway: shop}}}]
                upstreams: {shop: {members: [{url: "http://127.0.0.1:9"}]}}
                """;
        String set = "limits: {connection: {body-timeout: 20s}}\n";
        assertEquals(Duration.ofSeconds(15), bodyTimeout(upstreams));
        assertEquals(Duration.ofSeconds(20), bodyTimeout(upstreams + set));
        assertEquals(Duration.ofSeconds(20), bodyTimeout("hosts: [{rules: []}]\n"));
    }

    private Duration bodyTimeout(String file) throws IOException {
        return files.read(file).get().limits().http().bodyTimeout();
    }

    @Test
    void file_withEverything_isRead() throws IOException {
        MargayConfig config =
                files.read(
                                """
                                listeners:
                                  - http: 0.0.0.0:${PORT}
                                    transport: nio
                                    connections-max: 100
                                  - https: 8443
                                    certificates: [{cert: site.pem, key: site.key}]
                                    protocols: [TLSv1.3]
                                    client-certificate: want
                                    trust: ca.pem
                                    handshake-timeout: 5s
                                hosts:
                                  - name: Shop.example
                                    aliases: ["*.shop.example"]
                                    access-log: {file: logs/access.log, format: json}
                                    routes:
                                      /: {app: shop.war, params: {mode: fast}}
                                      /assets/*: {files: ./assets}
                                  - webapps: webapps
                                sessions: {store: memory, file: kept}
                                workers: {dispatch: virtual, threads-max: 10}
                                limits:
                                  http1: {body-bytes-max: 1MiB, fields-max: 50}
                                  connection: {idle-timeout: 5s}
                                  servlet: {parameters-max: 10}
                                  war: {entries-max: 7}
                                deploy: {error-details: true, pages: {development: true},
                                    users: users.xml}
                                work: tmp
                                drain: 3s
                                """)
                        .get();
        ListenerSettings plain = config.listeners().getFirst();
        assertEquals(new Endpoint("0.0.0.0", 8081), plain.endpoint());
        assertEquals(TransportChoice.NIO, plain.accepting().transport());
        assertEquals(100, plain.accepting().connectionsMax());
        assertNull(plain.tls());
        TlsConfig tls = config.listeners().get(1).tls();
        assertNotNull(tls);
        assertEquals(folder.resolve("site.pem"), tls.certificates().getFirst().cert());
        assertEquals(List.of("TLSv1.3"), tls.protocols());
        assertEquals(TlsConfig.ClientAuth.WANT, tls.clients().auth());
        assertEquals(Duration.ofSeconds(5), tls.handshakeTimeout());
        HostSettings host = config.hosts().getFirst();
        assertEquals(List.of("shop.example", "*.shop.example"), host.names());
        assertEquals(
                new AccessLogSettings(folder.resolve("logs/access.log"), "json"), host.accessLog());
        assertEquals(
                List.of(
                        new App("", folder.resolve("shop.war"), Map.of("mode", "fast")),
                        new StaticFiles("/assets", folder.resolve("assets"))),
                host.routes());
        assertEquals(
                List.of(new Webapps(folder.resolve("webapps"))), config.hosts().get(1).routes());
        assertSectionsBesideHosts(config);
    }

    private void assertSectionsBesideHosts(MargayConfig config) {
        assertEquals(folder.resolve("kept"), config.sessions().folder());
        assertEquals(WorkerSettings.Dispatch.VIRTUAL, config.workers().dispatch());
        assertEquals(10, config.workers().limits().threadsMax());
        assertEquals(1 << 20, config.limits().http().http1().bodyBytesMax());
        assertEquals(50, config.limits().http().http1().fieldsMax());
        assertEquals(Duration.ofSeconds(5), config.limits().http().idleTimeout());
        assertEquals(10, config.limits().servlet().parametersMax());
        assertTrue(config.deploy().errorDetails());
        assertEquals(folder.resolve("users.xml"), config.deploy().users());
        assertTrue(config.deploy().pages().development());
        assertEquals(7, config.deploy().war().entriesMax());
        assertEquals(folder.resolve("tmp"), config.work());
        assertEquals(Duration.ofSeconds(3), config.drain());
    }

    @Test
    void workFolder_notNamed_goesByThePortOfTheFirstListener() throws IOException {
        MargayConfig config =
                files.read("listeners: [{http: 8081}, {http: 8082}]\nhosts: [{webapps: webapps}]\n")
                        .get();
        assertEquals(folder.resolve("work/8081"), config.work());
        MargayConfig other = config.withListeners(config.listeners().subList(1, 2));
        assertEquals(folder.resolve("work/8082"), other.work());
        assertEquals(folder, other.withWork(folder).work());
    }

    @Test
    void file_withHostsAlone_hasDefaults() throws IOException {
        MargayConfig config = files.read("hosts: [{webapps: webapps}]\n").get();
        MargayConfig defaults = MargayConfig.defaults();
        assertEquals(defaults.listeners(), config.listeners());
        assertEquals(defaults.limits(), config.limits());
        assertEquals(defaults.workers(), config.workers());
        assertEquals(defaults.drain(), config.drain());
        assertEquals(folder.resolve("work/8080"), config.work());
    }

    @Test
    void problems_ofEveryKind_areReportedAtOnceWithTheirPlaces() throws IOException {
        List<String> found =
                files.problems(
                        """
                        listners: []
                        listeners:
                          - http: 0.0.0.0:99999
                            transprt: nio
                          - https: 8443
                          - http: 8080
                            certificates: [{cert: site.pem, key: none.key}]
                        hosts:
                          - routes:
                              shop: {app: shop.war}
                              /a: {app: shop.war, files: assets}
                              /b: {}
                        sessions: {store: valkey}
                        limits: {servlet: {parameters-max: 0}}
                        """);
        assertEquals(
                List.of(
                        "margay.yaml:1:1: unknown key \"listners\" in the file; did you mean"
                                + " \"listeners\"?",
                        "margay.yaml:3:11: \"http\" must be PORT or ADDRESS:PORT, as in 8080,"
                                + " 0.0.0.0:8080, [::1]:8080, *:8080, or the absolute path of a"
                                + " Unix socket, as in unix:/run/margay.sock, not"
                                + " \"0.0.0.0:99999\": a port is a number from 0 to 65535",
                        "margay.yaml:4:5: unknown key \"transprt\" in a listener; did you mean"
                                + " \"transport\"?",
                        "margay.yaml:5:5: an https listener needs the key \"certificates\" or"
                                + " \"acme\"",
                        "margay.yaml:7:5: \"certificates\" belongs to an https listener",
                        "margay.yaml:10:7: a key of \"routes\" must be a path, as in /, /shop,"
                                + " /assets/*, not \"shop\": it must begin with \"/\"",
                        "margay.yaml:11:11: a route can have only one of the keys app, files",
                        "margay.yaml:12:11: a route needs one of the keys app, files, gateway,"
                                + " status",
                        "margay.yaml:13:12: a store that servers share needs a \"key\", the same"
                                + " on all of them: what \"openssl rand -base64 32\" prints, say",
                        "margay.yaml:13:12: a store that servers share needs either a \"url\" or a"
                                + " \"resource\"",
                        "margay.yaml:14:19: the limits of the container: a limit is"
                                + " too small to serve any request"),
                found);
    }

    @Test
    void key_ofSessionsThatIsShort_isReportedOnce() throws IOException {
        assertEquals(
                List.of("margay.yaml:1:54: \"key\" must be at least 32 characters"),
                files.problems(
                        "sessions: {store: valkey, url: \"redis://cache\", key: short}\n"
                                + "hosts: [{routes: {/: {files: .}}}]\n"));
    }

    @Test
    void stickySessions_needARoute() throws IOException {
        String text =
                "sessions: {store: jdbc, url: \"jdbc:h2:mem:\", sticky: true, %s"
                        + " key: what the servers share and nobody else knows}\n"
                        + "hosts: [{routes: {/: {files: .}}}]\n";
        List<String> found = files.problems(text.formatted(""));
        assertEquals(1, found.size(), found.toString());
        assertTrue(found.getFirst().contains("\"sticky\" needs a \"route\""), found.toString());
        assertEquals(List.of(), files.problems(text.formatted("route: a,")));
    }

    @Test
    void dotFiles_areSaidOfARouteOfFiles() throws IOException {
        HostSettings host =
                files.read("hosts: [{routes: {/a: {files: ., dot-files: true}, /b: {files: .}}}]\n")
                        .get()
                        .hosts()
                        .getFirst();
        assertEquals(
                List.of(true, false),
                host.routes().stream().map(route -> ((StaticFiles) route).dotFiles()).toList());
        assertEquals(
                List.of("margay.yaml:1:31: \"dot-files\" belongs to files"),
                files.problems("hosts: [{routes: {/: {app: ., dot-files: true}}}]\n"));
    }

    @Test
    void administration_andSessions_areRead() throws IOException {
        MargayConfig config =
                files.read(
                                """
                                admin: 9990
                                admin-token: sixteen characters
                                admin-names: [Ops.example]
                                sessions: {route: tc1, drain-when-disabled: true}
                                deploy: {auto-deploy: 10s, undeploy-old-versions: true}
                                hosts: [{routes: {/: {files: .}}}]
                                """)
                        .get();
        assertEquals(
                new AdminSettings(
                        Endpoint.parse("9990"), "sixteen characters", Set.of("ops.example"), null),
                config.admin());
        assertEquals(new SessionSettings(null, "tc1", true, null), config.sessions());
        assertEquals(new AutoDeploySettings(Duration.ofSeconds(10), true), config.deploy().auto());
    }

    @Test
    void libraryScan_isRead() throws IOException {
        MargayConfig config =
                files.read(
                                """
                                deploy: {library-scan: {skip: ["*.jar"], except: "shop-*.jar"}}
                                hosts: [{routes: {/: {files: .}}}]
                                """)
                        .get();
        assertEquals(
                LibraryScan.of(
                        new LibraryScan.Names(List.of("*.jar"), List.of("shop-*.jar"), true)),
                config.deploy().libraryScan());
        assertEquals(LibraryScan.ALL, DeployOptions.defaults().libraryScan());
        assertEquals(
                List.of("margay.yaml:1:25: \"except\" belongs to \"skip\""),
                files.problems(
                        """
                        deploy: {library-scan: {except: ["shop-*.jar"]}}
                        hosts: [{routes: {/: {files: .}}}]
                        """));
    }

    @Test
    void administration_withoutSense_isNamed() throws IOException {
        List<String> found =
                files.problems(
                        """
                        admin: 9990
                        admin-token: short
                        sessions: {route: "a b"}
                        hosts: [{routes: {/: {files: .}}}]
                        """);
        assertEquals(2, found.size(), found.toString());
        assertTrue(found.get(0).contains("at least 16 characters"), found.toString());
        assertTrue(found.get(1).contains("route"), found.toString());
    }

    @Test
    void ajpListener_withSecret_isOne() throws IOException {
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners:
                  - {ajp: 8009, secret: s3cret, packet-size: 65536, trust-remote-user: false}
                  - {ajp: 8010, secret-required: false, allowed-request-attributes: "my[.].*"}
                hosts: [{webapps: webapps}]
                """);
        List<ListenerSettings> listeners =
                ConfigFile.read(folder.resolve("margay.yaml"), Map.of()).get().listeners();
        ListenerSettings first = listeners.getFirst();
        assertEquals("ajp", first.scheme());
        assertEquals("127.0.0.1:8009", first.endpoint().toString());
        AjpSettings ajp = Objects.requireNonNull(first.ajp());
        assertEquals("s3cret", ajp.config().secret());
        assertEquals(65536, ajp.config().limits().packetBytesMax());
        assertFalse(ajp.config().trustRemoteUser());
        assertFalse(ajp.secretShown());
        AjpSettings open = Objects.requireNonNull(listeners.getLast().ajp());
        assertNull(open.config().secret());
        assertNotNull(open.config().allowedRequestAttributes());
    }

    @Test
    void ajpListener_withoutSecret_isRefused() throws IOException {
        List<String> found =
                files.problems(
                        """
                        listeners:
                          - {ajp: 8009}
                          - {http: 8080, secret: x}
                        hosts: [{webapps: webapps}]
                        """);
        assertEquals(2, found.size(), found.toString());
        assertTrue(found.get(0).contains("needs the key \"secret\""), found.toString());
        assertTrue(found.get(1).contains("belongs to an ajp listener"), found.toString());
    }

    @Test
    void certificate_thatIsMissing_isAProblem() throws IOException {
        List<String> found =
                files.problems(
                        """
                        listeners: [{https: 1, certificates: [{cert: no.pem, key: site.key}]}]
                        hosts: [{webapps: webapps}]
                        """);
        assertEquals(List.of("margay.yaml:1:40: \"cert\": no.pem does not exist"), found);
    }

    @Test
    void application_thatIsMissing_isNoProblemOfTheFile() throws IOException {
        ConfigFile.Result result =
                files.read("hosts: [{routes: {/: {app: no.war}, /f: {files: none}}}]\n");
        assertNotNull(result.config());
        assertEquals(
                List.of(
                        "margay.yaml:1:23: \"app\": no.war does not exist",
                        "margay.yaml:1:42: \"files\": none does not exist"),
                files.strip(result.missing()));
    }

    @Test
    void rewrites_ofASectionThatDoesNotSayBelowWhat_areAProblem() throws IOException {
        String text =
                "hosts: [{access: {sections: [{folder: /srv, rewriting: true, %s"
                        + "rewrites: [{regex: x, refuse: 403}]}]}, routes: {/: {files: .}}}]\n";
        List<String> found = files.problems(text.formatted(""));
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.getFirst().contains("without \"rewrites-below\""), found::toString);
        assertEquals(List.of(), files.problems(text.formatted("rewrites-below: /srv/, ")));
    }

    @Test
    void application_asFiles_isAProblem() throws IOException {
        assertEquals(
                List.of("margay.yaml:1:23: shop.war is an application: say \"app\""),
                files.strip(files.read("hosts: [{routes: {/: {files: shop.war}}}]\n").problems()));
    }

    @Test
    void hostsAndAddresses_givenTwice_areProblems() throws IOException {
        assertEquals(
                List.of(
                        "margay.yaml:3:5: the address 127.0.0.1:80 is in line 2 already",
                        "margay.yaml:7:5: the host a.example is in line 5 already",
                        "margay.yaml:10:5: a host without name is in line 9 already"),
                files.problems(
                        """
                        listeners:
                          - http: 80
                          - http: 127.0.0.1:80
                        hosts:
                          - name: a.example
                            webapps: webapps
                          - name: A.example
                            webapps: webapps
                          - webapps: webapps
                          - webapps: webapps
                        """));
    }

    @Test
    void paths_thatMeanTheSame_areAProblem() throws IOException {
        assertEquals(
                List.of("margay.yaml:1:40: the path /a is in line 1 already"),
                files.problems(
                        "hosts: [{routes: {/a: {files: assets}, /a/*: {files: assets}}}]\n"));
    }

    @Test
    void file_thatIsNotThere_isAProblem() {
        ConfigFile.Result result = ConfigFile.read(folder.resolve("none.yaml"), Map.of());
        assertEquals(1, result.problems().size());
        ConfigException e = assertThrows(ConfigException.class, result::get);
        assertEquals(result.problems(), e.problems());
    }

    @Test
    void upstreams_withMembers_areRead() throws IOException {
        MargayConfig config =
                files.read(
                                """
                                hosts:
                                  - routes:
                                      /legacy/*: {gateway: legacy}
                                      /: {gateway: app, host-header: peer}
                                upstreams:
                                  legacy:
                                    balance: busyness
                                    sticky: JSESSIONID
                                    reply-timeout: 5s
                                    members:
                                      - {url: ajp://10.0.0.5:8009, route: tc1, secret: s3cret,
                                         pings: [connect]}
                                      - {url: "ajp://[::1]", name: tc2, reply-timeout: 7s,
                                         activation: disabled}
                                    health: {ping: cping, get: /healthz, every: 5s}
                                  app: {members: [{url: http+unix:/run/app.sock},
                                      {url: https://b.example/base/}]}
                                """)
                        .get();
        UpstreamConfig legacy = Objects.requireNonNull(config.upstreams().get("legacy"));
        assertEquals(BalanceMethod.BUSYNESS, legacy.method());
        PeerConfig first = legacy.peers().get(0);
        PeerConfig second = legacy.peers().get(1);
        assertEquals("tc1", first.name());
        assertEquals("tc1", first.share().route());
        assertEquals("s3cret", first.ajp().secret());
        assertEquals(Duration.ofSeconds(5), first.timeouts().reply());
        assertEquals(Duration.ofSeconds(7), second.timeouts().reply());
        assertEquals("ajp://[::1]:8009", second.address().toString());
        assertEquals("tc2", second.share().route());
        assertEquals(Activation.DISABLED, second.share().activation());
        HealthConfig health = Objects.requireNonNull(legacy.health());
        assertEquals(HealthConfig.Kind.GET, health.kind());
        assertEquals("/healthz", health.uri());
        UpstreamConfig app = Objects.requireNonNull(config.upstreams().get("app"));
        assertEquals("http+unix:/run/app.sock", app.peers().get(0).address().toString());
        assertEquals("/base", app.peers().get(1).path());
        RouteSettings.Gateway route =
                (RouteSettings.Gateway) config.hosts().getFirst().routes().get(1);
        assertEquals("app", route.upstream());
        assertFalse(route.rules().keepHost());
    }

    @Test
    void foldersOfCaches_areForOneCacheEach() throws IOException {
        assertEquals(
                List.of("margay.yaml:1:1: two caches have the folder kept/a: give each its own"),
                files.problems(
                        """
                        hosts:
                          - {name: a, cache: {disk: {folder: kept/a, size: 1MiB}}, routes: {}}
                          - {name: b, cache: {disk: {folder: kept/b, size: 1MiB}}, routes: {}}
                          - name: c
                            routes:
                              /x:
                                gateway: "http://127.0.0.1:1"
                                cache: {disk: {folder: kept/../kept/a, size: 1MiB}}
                        """));
    }

    @Test
    void upstreams_withMistakes_areReportedWithTheirPlaces() throws IOException {
        assertEquals(
                List.of(
                        "margay.yaml:1:26: there is no upstream \"legcy\"; did you mean"
                                + " \"legacy\"?",
                        "margay.yaml:4:5: unknown key \"balanc\" in an upstream; did you mean"
                                + " \"balance\"?",
                        "margay.yaml:6:15: \"url\" must be a URL, as in http://10.0.0.5:8080,"
                                + " https://, h2://, h2c://, ajp://10.0.0.5:8009, fcgi://,"
                                + " http+unix:/run/app.sock, not \"ajp://h:99999\": its port"
                                + " must be 1 to 65535",
                        "margay.yaml:8:5: \"hash-by\" needs \"balance: hash\"",
                        "margay.yaml:12:5: \"sticky-set-cookie\" has no effect with"
                                + " \"sticky: none\"",
                        "margay.yaml:13:32: \"spare\" needs \"dialect: mod_proxy\"",
                        "margay.yaml:16:5: \"subset\" cannot be combined with \"balance: hash\":"
                                + " gateways with other members send equal requests to different"
                                + " ones"),
                files.problems(
                        """
                        hosts: [{routes: {/a/*: {gateway: legcy}}}]
                        upstreams:
                          legacy:
                            balanc: x
                            members:
                              - {url: ajp://h:99999}
                          other:
                            hash-by: path
                            members: {url: "http://h:8080"}
                          third:
                            sticky: none
                            sticky-set-cookie: ROUTE
                            members: {url: "http://h", spare: true}
                          fourth:
                            balance: hash
                            subset: 20
                            members: {url: "http://h"}
                        """));
    }

    /// A cookie that nothing reads.
    @Test
    void ruleThatSetsACookie_withoutStickySessions_isReported() throws IOException {
        String upstreams =
                """
                upstreams:
                  none: {sticky: none, members: [{url: "http://h:8080"}]}
                  some: {members: [{url: "http://h:8080"}]}
                hosts:
                  - rules:
                """;
        assertEquals(
                List.of(
                        "margay.yaml:6:28: \"session-set-cookie\" has no effect: \"none\" has"
                                + " \"sticky: none\""),
                files.problems(
                        upstreams
                                + """
                                    - {path: /a, to: none, session-set-cookie: R}
                                    - {path: /b, to: some, session-set-cookie: R}
                                    - {path: /c, to: none, session-set-cookie: ""}
                                """));
    }

    @Test
    void routesThatAreDivided_nameOtherUpstreams_andStepsThatGrow() throws IOException {
        String upstreams =
                """
                upstreams:
                  shop: {members: [{url: "http://h:8080"}]}
                  next: {members: [{url: "http://h:8081"}]}
                """;
        String route = "hosts: [{routes: {/*: {gateway: shop, %s}}}]\n" + upstreams;
        assertEquals(
                List.of(),
                files.problems(
                        route.formatted(
                                "canary: {to: next, steps: [5% for 10m, 25%], stop: {}},"
                                        + " mirror: {to: next, share: 10%}")));
        assertEquals(
                List.of("margay.yaml:1:48: \"to\" must be another upstream"),
                files.problems(route.formatted("mirror: {to: shop}")));
        assertEquals(
                List.of("margay.yaml:1:48: there is no upstream \"nxt\"; did you mean \"next\"?"),
                files.problems(route.formatted("canary: {to: nxt, steps: 5%}")));
        String both = "canary: {to: next, steps: 5%}, mirror: {to: next, compare: {}}";
        assertTrue(
                files.problems(route.formatted(both)).toString().contains("nothing can be"),
                () -> both);
        String unsafe = route.formatted("mirror: {to: next, methods: [GET, POST], compare: {}}");
        assertTrue(files.problems(unsafe).toString().contains("would be sent twice"), unsafe);
        String shrinks = route.formatted("canary: {to: next, steps: [5% for 1m, 2%]}");
        assertTrue(files.problems(shrinks).toString().contains("\"steps\" must grow"));
        String late = route.formatted("canary: {to: next, steps: [5%, 20%]}");
        assertTrue(files.problems(late).toString().contains("only the last of \"steps\""));
    }

    @Test
    void cachesThatWouldMixTwoVersions_areRefused() throws IOException {
        String file =
                """
                hosts:
                  - %s
                    routes:
                      /: {gateway: shop%s}
                      /shop: {gateway: shop, canary: {to: next, steps: 5%%}%s}
                      /other: {gateway: shop%s}
                upstreams:
                  shop: {members: [{url: "http://h:8080"}]}
                  next: {members: [{url: "http://h:8081"}]}
                """;
        String on = ", cache: {}";
        String off = ", cache: {memory: 0}";
        for (String mixing :
                List.of(
                        file.formatted("cache: {}", "", "", ""),
                        file.formatted("cache: {prefix: /}", "", "", ""),
                        file.formatted("name: a", on, "", ""),
                        file.formatted("name: a", "", on, ""),
                        file.formatted("cache: {suffix: .css}", "", "", off))) {
            String problems = files.problems(mixing).toString();
            assertTrue(
                    problems.contains("margay.yaml:5:30: the cache would keep answers"), problems);
        }
        assertEquals(List.of(), files.problems(file.formatted("cache: {}", on, off, on)));
        assertEquals(List.of(), files.problems(file.formatted("name: a", "", "", on)));
        String deeper = file.replace("/other", "/shop/img");
        assertEquals(List.of(), files.problems(deeper.formatted("name: a", on, off, on)));
        String above = file.replace("/shop:", "/other/new:");
        assertEquals(List.of(), files.problems(above.formatted("cache: {}", "", "", off)));
    }
}
