package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.BurnServlet;
import io.margay.testkit.Eventually;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A shielded host and bots that sign their requests, with a directory of their keys.
@Timeout(60)
final class ShieldPassportTest {
    @TempDir Path folder;

    private HttpServer site;
    private MargayServer server;
    private KeyPair keys;
    private String thumbprint;
    private final AtomicInteger nonces = new AtomicInteger();

    @BeforeEach
    void start() throws Exception {
        keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] encoded = keys.getPublic().getEncoded();
        String x = text(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        String key = "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + x + "\"}";
        thumbprint = text(MessageDigest.getInstance("SHA-256").digest(bytes(key)));
        site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] set = bytes("{\"keys\":[" + key + "]}");
        site.createContext(
                "/.well-known/http-message-signatures-directory",
                exchange -> {
                    exchange.sendResponseHeaders(200, set.length);
                    exchange.getResponseBody().write(set);
                    exchange.close();
                });
        site.start();
        Wars.with("index.html", "home")
                .servlet(BurnServlet.class, "/burn/*")
                .folder(folder.resolve("app"));
        Files.writeString(
                Files.createDirectories(folder.resolve("files")).resolve("a.txt"), "content");
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        hosts:
                          - name: shop.example
                            shield:
                              challenge: all
                              models: payment
                              signed-bots: [{name: helper, agent: "%s", budgets: 2}]
                            routes: {/: {files: files}}
                          - name: closed.example
                            shield: {models: refuse, challenge: unknown}
                            routes: {/: {files: files}}
                          - name: costs.example
                            shield:
                              budget: {cost: 100ms, window: 60s}
                              challenge: never
                              signed-bots: [{name: helper, agent: "%s", budgets: 4}]
                            routes: {/: {app: app}}
                        work: work
                        """
                                .formatted(agent(), agent()));
        server = MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    @AfterEach
    void stop() {
        server.close();
        site.stop(0);
    }

    private String agent() {
        return "http://127.0.0.1:" + site.getAddress().getPort();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private String signed(String authority) throws Exception {
        long now = System.currentTimeMillis() / 1000;
        String input =
                "(\"@authority\" \"signature-agent\");created=%d;expires=%d;keyid=\"%s\""
                                .formatted(now, now + 60, thumbprint)
                        + ";nonce=\""
                        + nonces.incrementAndGet()
                        + "\";tag=\"web-bot-auth\"";
        String base =
                "\"@authority\": %s\n\"signature-agent\": \"%s\"\n\"@signature-params\": %s"
                        .formatted(authority, agent(), input);
        Signature signer = Signature.getInstance("Ed25519");
        signer.initSign(keys.getPrivate());
        signer.update(bytes(base));
        return "Signature-Agent: \"%s\"\r\nSignature-Input: s=%s\r\nSignature: s=:%s:\r\n"
                .formatted(agent(), input, Base64.getEncoder().encodeToString(signer.sign()));
    }

    private RawHttpClient.Response ask(String host, String fields) throws IOException {
        return ask(host, "/a.txt", fields);
    }

    private RawHttpClient.Response ask(String host, String path, String fields) throws IOException {
        InetSocketAddress at =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.ports().getFirst());
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n");
            return client.response();
        }
    }

    @Test
    void signedRequest_passes_andNoOther() throws Exception {
        Eventually.holds(
                "the keys are known",
                () -> {
                    try {
                        return ask("shop.example", signed("other.example")).status() == 401;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
        String once = signed("shop.example");
        assertEquals(200, ask("shop.example", once).status());
        RawHttpClient.Response again = ask("shop.example", once);
        assertEquals(401, again.status());
        assertNotNull(again.field("Accept-Signature"));
        assertEquals(401, ask("shop.example", signed("other.example")).status());
        RawHttpClient.Response plain = ask("shop.example", "");
        assertEquals(403, plain.status());
        assertNotNull(plain.field("Accept-Signature"));
    }

    @Test
    void signedBot_hasBudgetsOfItsOwn() throws Exception {
        Eventually.holds(
                "the keys are known",
                () -> {
                    try {
                        return ask("costs.example", "/", signed("other.example")).status() == 401;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
        int client = 0;
        while (client < 50 && ask("costs.example", "/burn/60", "").status() == 200) {
            client++;
        }
        int bot = 0;
        RawHttpClient.Response last = ask("costs.example", "/burn/60", signed("costs.example"));
        while (bot < 50 && last.status() == 200) {
            bot++;
            last = ask("costs.example", "/burn/60", signed("costs.example"));
        }
        assertTrue(client < 50 && bot > client && bot < 50, client + " and " + bot);
        assertEquals(429, last.status());
        assertNotNull(last.field("Accept-Signature"));
        assertNotNull(last.field("Retry-After"));
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example, 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', 402",
        "closed.example, 'CCBot/2.0 (https://commoncrawl.org/faq/)', 403",
    })
    void crawlersForModels_areRefused(String host, String agent, int status) throws Exception {
        RawHttpClient.Response response = ask(host, "User-Agent: " + agent + "\r\n");
        assertEquals(status, response.status());
        assertEquals(host.startsWith("shop"), response.field("Accept-Signature") != null);
    }

    @Test
    void hostWithoutSignedBots_looksAtNoSignature() throws Exception {
        String browser =
                "User-Agent: Mozilla/5.0 (X11)\r\nAccept: */*\r\nAccept-Language: de\r\n"
                        + "Accept-Encoding: gzip\r\n";
        assertEquals(200, ask("closed.example", browser + signed("x.example")).status());
        assertNull(ask("closed.example", "").field("Accept-Signature"));
    }
}
