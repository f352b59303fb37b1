package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.testkit.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Users who log in at a provider that is not ours (mock-oauth2-server), in a real browser: `make
/// oidc`.
final class ForeignProviderSoak {
    private static final Path JARS = Path.of(System.getProperty("margay.oidc.jars", ""));
    private static final int SECONDS_MAX = 60;
    private static final String TOKEN = "a token for this test";
    private static final String EVENT = "http://schemas.openid.net/event/backchannel-logout";

    /// Who logs in, and, for the client `logout`, tokens by which this provider, which knows no
    /// back-channel logout, can be made to sign one.
    private static final String PROVIDER =
            """
            {"interactiveLogin": true, "httpServer": "NettyWrapper", "tokenCallbacks": [
              {"issuerId": "shop", "tokenExpiry": %d, "requestMappings": [
                {"requestParam": "client_id", "match": "shop", "claims": {"aud": ["shop"]}},
                {"requestParam": "client_id", "match": "logout", "typeHeader": "logout+jwt",
                 "claims": {"aud": ["shop"], "sub": "ada", "events": {"%s": {}}}}]}]}
            """;

    private static final String STAFF =
            "document.querySelector('[name=claims]').value = '{\"groups\": [\"staff\"]}'";

    @TempDir Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    private Process provider(int port, int expiry) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        JARS + "/*",
                        "no.nav.security.mock.oauth2.StandaloneMockOAuth2ServerKt");
        builder.environment()
                .putAll(
                        Map.of(
                                "SERVER_HOSTNAME", "localhost",
                                "SERVER_PORT", String.valueOf(port),
                                "JSON_CONFIG", PROVIDER.formatted(expiry, EVENT)));
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("provider.log").toFile())
                .start();
    }

    /// Asks until an answer has a text.
    private void await(String url, String text) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url))
                        .header("Authorization", "Bearer " + TOKEN)
                        .build();
        String seen = "";
        while (!seen.contains(text)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(text + " is not in " + seen);
            }
            try {
                seen = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            } catch (IOException e) {
                seen = e.toString();
            }
            LockSupport.parkNanos(100_000_000L);
        }
    }

    private MargayServer margay(int provider, int port, int admin) throws Exception {
        for (String page : new String[] {"staff", "chiefs", "bye"}) {
            Path pages = Files.createDirectories(folder.resolve("www/" + page));
            Files.writeString(pages.resolve("index.html"), "<title>" + page + "</title>");
        }
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:%d}]
                        admin: 127.0.0.1:%d
                        admin-token: "%s"
                        hosts:
                          - access:
                              login:
                                oidc:
                                  issuer: http://localhost:%d/shop
                                  client-id: shop
                                  client-secret: a secret
                                  roles-claims: [groups]
                                  scopes: [offline_access]
                                  back-channel-logout-path: /oidc/back
                                  after-logout: /bye/
                              sections:
                                - {path: /bye, require: [{everybody: true}]}
                                - {path: /staff, require: [{group: [staff]}]}
                                - {path: /chiefs, require: [{group: [chiefs]}]}
                            routes: {/: {files: www}}
                        work: work
                        """
                                .formatted(port, admin, TOKEN, provider));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private HttpResponse<String> post(String url, String form)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form))
                        .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static void go(Chromium.Tab tab, String url) throws InterruptedException {
        String _ = tab.evaluate("window.stale = true; location.href = '" + url + "'");
        tab.await("!window.stale && document.readyState == 'complete'");
    }

    private static void login(Chromium.Tab tab, String page) throws InterruptedException {
        go(tab, page);
        tab.await("document.querySelector('[name=username]')");
        String _ = tab.evaluate(STAFF);
        tab.type("[name=username]", "ada");
        tab.await("document.title == 'staff'");
    }

    @Test
    void user_ofAForeignProvider_logsInAndOutInABrowser() throws Exception {
        int port = FreePort.next();
        int own = FreePort.next();
        String site = "http://localhost:" + own;
        String issuer = "http://localhost:" + port + "/shop";
        int admin = FreePort.next();
        Process provider = provider(port, 5);
        try (MargayServer _ = margay(port, own, admin);
                Chromium chromium = Chromium.start(folder)) {
            await(issuer + "/.well-known/openid-configuration", issuer);
            Chromium.Tab tab = chromium.open("about:blank");
            login(tab, site + "/staff/?a=b");
            assertEquals(site + "/staff/?a=b", tab.evaluate("location.href"));
            String chiefs = "fetch('/chiefs/').then(r => { window.status = r.status })";
            String _ = tab.evaluate(chiefs + "; 0");
            tab.await("window.status == 403");
            String _ = tab.evaluate("setInterval(() => fetch('/staff/'), 500)");
            String of = "{client=\"shop\",provider=\"" + issuer + "\"} ";
            String metrics = "http://127.0.0.1:" + admin + "/metrics";
            await(metrics, "margay_openid_renewals_total" + of + "1.0");
            go(tab, site + "/staff/");
            assertEquals("staff", tab.evaluate("document.title"), "it was renewed");

            await(metrics, "margay_openid_logins_total" + of + "1.0");

            String answer =
                    post(
                                    issuer + "/token",
                                    "grant_type=client_credentials&client_id=logout"
                                            + "&client_secret=s&scope=logout")
                            .body();
            String token =
                    answer.replaceFirst("(?s).*\"access_token\"\\s*:\\s*\"([^\"]+)\".*", "$1");
            String form = "logout_token=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
            HttpResponse<String> ended = post(site + "/oidc/back", form);
            assertEquals(200, ended.statusCode(), ended.body() + answer);
            login(tab, site + "/staff/?anew"); // The browser may have kept the other page.

            go(tab, site + "/oidc/logout");
            tab.await("location.pathname == '/bye/'");
            String past = "fetch('/staff/', {cache: 'no-store'}).then(r => window.past = r.status)";
            String _ = tab.evaluate(past + "; 0");
            tab.await("window.past == 401"); // whatever the browser has kept
            go(tab, site + "/staff/?again");
            tab.await("document.querySelector('[name=username]')");
            assertTrue(tab.evaluate("location.href").startsWith(issuer + "/authorize"));
        } finally {
            provider.destroyForcibly();
            int _ = provider.waitFor();
        }
    }
}
