package io.margay.compat.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.nginx.plan.NginxPlan;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.Fields;
import io.margay.transport.ClientCertificates;
import io.margay.transport.TlsConfig.ClientAuth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What would open what was closed, or send the source of a program, is not served.
final class NginxRefusalTest {
    private static final String TLS =
            "listen 443 ssl; ssl_certificate a.pem; ssl_certificate_key a.key; ";

    private static final String CLIENTS =
            "ssl_verify_client on; ssl_client_certificate ca.pem; ssl_verify_depth 3; ";

    @TempDir Path folder;

    private NginxPlan server(String text) throws IOException {
        String whole = "http { server { listen 80; root /srv; " + text + " } }\n";
        return NginxFiles.read(Files.writeString(folder.resolve("nginx.conf"), whole));
    }

    private ListenerPlan secure(String text) throws IOException {
        NginxPlan plan = server(text);
        assertFalse(plan.isWrong(), text);
        return plan.listeners().stream().filter(one -> one.port() == 443).findFirst().orElseThrow();
    }

    @Test
    void quic_isHttp3_besideTls() throws IOException {
        String quic = "listen 443 quic reuseport; ";
        assertTrue(secure(TLS + quic).http3());
        assertTrue(secure(quic + TLS + "add_header Alt-Svc 'h3=\":443\"';").http3());
        assertTrue(secure(TLS + "} server { server_name b; " + TLS + quic).http3());
        assertFalse(secure(TLS).http3());
        assertFalse(secure(TLS + quic + "http3 off;").http3());
        ListenerPlan alone = secure(quic + TLS.substring(TLS.indexOf(';') + 1));
        assertTrue(alone.http3() && alone.tls() != null);
        assertTrue(server("listen 80 quic;").isWrong(), "plain text at the same port");
        for (String word : List.of("ssl", "http2", "proxy_protocol", "foo")) {
            assertTrue(server(TLS + "listen 443 quic " + word + ";").isWrong(), word);
        }
    }

    /// nginx has one default server at a port of TCP, and one at that of UDP.
    @Test
    void defaultServer_thatIsAnotherByQuic_isSaid() throws IOException {
        String both = "listen 443 quic;" + TLS;
        String byTcp = TLS.replace("ssl;", "ssl default_server;");
        String byQuic = "listen 443 quic default_server;";
        assertEquals(0, defaults(both, both));
        assertEquals(1, defaults(both, "listen 443 quic;" + byTcp));
        assertEquals(0, defaults(both, byQuic + byTcp));
        assertEquals(0, defaults(TLS, "listen 443 quic;" + byTcp));
        assertEquals(1, defaults(both, byQuic + TLS));
        assertEquals(1, defaults(byQuic + TLS.substring(TLS.indexOf(';') + 1), byTcp));
        assertEquals(1, defaults("listen 443 quic;" + TLS.substring(TLS.indexOf(';') + 1), TLS));
        assertTrue(twoServers(byQuic + TLS, byQuic + TLS).isWrong());
    }

    private NginxPlan twoServers(String one, String other) throws IOException {
        return server(one + "server_name a; } server { server_name b; " + other);
    }

    private long defaults(String one, String other) throws IOException {
        NginxPlan plan = twoServers(one, other);
        assertFalse(plan.isWrong(), plan.account()::toString);
        return plan.account().stream()
                .filter(line -> line.toString().contains("the default server is that of"))
                .count();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "location ~ \\.php$ { fastcgi_pass 127.0.0.1; }",
                "location ~ \\.php$ { fastcgi_pass $arg_program; }",
                "location ~ \\.php$ { fastcgi_pass unix:/s; fastcgi_split_path_info ^(.+)$; }",
                "location ~ \\.php$ { fastcgi_pass unix:/s;"
                        + " fastcgi_param SCRIPT_FILENAME /srv/$unknown; }",
                "location /p { uwsgi_pass 127.0.0.1:9000; }",
                "location /p { scgi_pass 127.0.0.1:9000; }",
                "location /p { auth_request /auth; }",
                "location /p { auth_request /a; } location = /a { return 200; }",
                "location /p { auth_request /a; } location ~ a { proxy_pass http://a/b; }",
                "location /p { auth_request /a; auth_basic x; auth_basic_user_file u; }"
                        + " location = /a { proxy_pass http://127.0.0.1:1; }",
                "location /p { secure_link $arg_x; secure_link_md5 $unknown; }",
                "location /p { secure_link $arg_x; secure_link_md5 $key; if ($arg_a) {"
                        + " set $key b; } if ($arg_b) { set $key c; } }",
                "location /p { secure_link $arg_x; secure_link_secret x; }",
                "location /p { secure_link_secret x$y; }",
                "limit_req zone=a;",
                TLS + "ssl_verify_client on;",
                TLS + "ssl_verify_client optional_no_ca; ssl_client_certificate ca.pem;",
                TLS
                        + CLIENTS
                        + "} server { server_name b; "
                        + TLS
                        + "ssl_verify_client on; ssl_client_certificate other.pem;",
                "ssi on;",
                "location /p { deny nonsense; }",
                "location /p { if ($arg_x) { proxy_pass http://127.0.0.1:1; } }",
                "location /p { proxy_pass http://$arg_host; }",
                "if ($unknown) { return 403; }",
                "if ($arg_a = $arg_b) { return 403; }",
                "location ~ ^/x/(.*)$ { alias /srv/$1; }",
                "set $b 0; if ($arg_x) { set $b 1; } if ($deny) { return 403; } }"
                        + " map $b $deny { 1 1; } server { listen 81;",
                "location /a { limit_except GET { proxy_pass http://127.0.0.1:1; }"
                        + " proxy_pass http://127.0.0.1:2; }",
                "location ~ a(?{b}) { return 403; }",
                "location ~ ^/x { proxy_pass http://127.0.0.1:1/y; }",
                "server_name ~^www(;",
                "set $host a;",
                "} geo $geo { default 0; proxy 10.0.0.1; } server {",
                "} geo $uri { default 0; } server {",
                "} geo $geo { 10.1 1; } server {",
                "} split_clients $arg_a $b { 60% a; 50% b; } server {",
                "listen 81 proxy_protocol;",
                "set_real_ip_from proxy.example;",
                "location /p { set_real_ip_from 10.0.0.0/8; }",
                "set_real_ip_from 10.0.0.0/8; real_ip_header proxy_protocol;",
                "access_log /var/log/a.log none;",
                "location /a { } location /a { }",
                "} server { listen [::]:80; deny all;",
                "listen [::]:80; } server { listen 80; server_name b; }"
                        + " server { listen [::]:80; server_name B;",
                "listen [::]:80; } server { listen 80; server_name .b; }"
                        + " server { listen [::]:80; server_name b;",
                "location /a/ { location /b/ { } }",
            })
    void server_thatWouldBeOpen_isNotServed(String text) throws IOException {
        NginxPlan plan = server(text);
        assertTrue(plan.isWrong(), text);
        assertEquals(List.of(), plan.listeners());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "location /p { deny all; proxy_pass http://127.0.0.1:1; }",
                "location /p { satisfy any; allow 10.0.0.0/8; deny all; auth_basic x;"
                        + " auth_basic_user_file users; }",
                "location /p { limit_except GET { deny all; } }",
                "if ($http_user_agent ~* (bot|crawler)) { return 444; }",
                "location ~ /\\. { deny all; }",
                "autoindex off; ssi off; auth_request off; ssl_verify_client off;"
                        + " merge_slashes on; access_log off;",
                "types { text/html html; } types { application/wasm wasm; }",
            })
    void server_whoseRestrictionsAreKept_isServed(String text) throws IOException {
        NginxPlan plan = server(text);
        assertEquals(List.of(), plan.failures());
        assertFalse(plan.listeners().isEmpty());
    }

    @Test
    void internal_holdsForLocationsInside() throws IOException {
        String inside = "location /p/ { internal; location ~ \\.pdf$ { %s expires 1d; } }";
        assertEquals(
                server(inside.formatted("internal;")).hosts().toString(),
                server(inside.formatted("")).hosts().toString());
    }

    @Test
    void clientsWithoutCertificate_ofAServerThatWantsOne_areRefused() throws IOException {
        NginxPlan plan = server(TLS + CLIENTS + "return 200;");
        assertFalse(plan.isWrong());
        ClientCertificates asked =
                plan.listeners().stream()
                        .filter(one -> one.tls() != null)
                        .map(one -> one.tls().clients())
                        .findFirst()
                        .orElseThrow();
        assertEquals(ClientAuth.WANT, asked.auth());
        assertEquals(List.of(folder.resolve("ca.pem")), asked.trust());
        assertEquals(2, asked.depthMax());
        RuleSet rules =
                RuleSet.of(
                        plan.hosts().getFirst().rules(), HostChanges.NONE, RuleLimits.defaults());
        assertEquals(new RuleDecision.Refuse(400), rules.decide(request("https")));
        assertTrue(rules.decide(request("http")) instanceof RuleDecision.Answer);
    }

    private static RuleRequest request(String scheme) {
        return new RuleRequest("GET", "/", "/", null, scheme, "a", "192.0.2.1", 443, Fields.EMPTY);
    }

    @Test
    void requestOfNoLocation_isLetInByNobody() throws IOException {
        NginxPlan plan = server("");
        assertTrue(
                plan.hosts().getFirst().access().toString().contains("Everybody[granted=false]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http { server { listen 80; } }",
                "http { server { listen 80; location /a { } location / { return 403; } } }",
                "http { server { listen 80; listen [::]:80; return 404; }"
                        + " server { listen 80; server_name b.example; return 403; } }",
            })
    void whatDiffers_isNamed(String text) throws IOException {
        NginxPlan plan =
                NginxFiles.read(Files.writeString(folder.resolve("nginx.conf"), text + "\n"));
        assertFalse(plan.isWrong());
        assertEquals(1, plan.failures().size(), plan.failures()::toString);
    }

    @Test
    void files_ofOtherServers_areNotTakenForThoseOfNginx() throws IOException {
        Path httpd =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        "<Location /server>\n</Location>\nListen 80\n");
        Path nginx = Files.writeString(folder.resolve("n.conf"), "http {\n server {\n }\n}\n");
        assertFalse(NginxFiles.isNginx(httpd));
        assertTrue(NginxFiles.isNginx(nginx));
    }
}
