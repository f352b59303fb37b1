package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests through the gateway to a FastCGI application.
@Tag("slow")
final class FastCgiPeerTest {
    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void request_reachesTheScriptWithItsParameters(String transport) throws IOException {
        try (FastCgiBackEnd backEnd = new FastCgiBackEnd();
                Gateway gateway = new Gateway(transport, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            client.send(
                    "GET /a.php/more?x=%20y HTTP/1.1\r\nHost: shop.example\r\n"
                            + "Proxy: http://evil/\r\nX-Ok: 1\r\nX_Ok: 2\r\n\r\n");
            String text = client.response().text();
            assertTrue(text.contains("SCRIPT_FILENAME=/srv/www/a.php\n"), text);
            assertTrue(text.contains("PATH_INFO=/more\n"), text);
            assertTrue(text.contains("QUERY_STRING=x=%20y\n"), text);
            assertTrue(text.contains("SERVER_NAME=shop.example\n"), text);
            assertTrue(text.contains("HTTP_X_OK=1\n"), text);
            assertFalse(text.contains("HTTP_PROXY"), "CVE-2016-5385");
        }
    }

    @Test
    void fieldOfALogin_isAParameter_thoughItHasUnderscores() throws IOException {
        try (FastCgiBackEnd backEnd = new FastCgiBackEnd();
                Gateway gateway = new Gateway("nio", backEnd.peer());
                RawHttpClient client = gateway.client()) {
            client.send("GET /a.php HTTP/1.1\r\nHost: a\r\nX_Ok: 2\r\n");
            client.send("OIDC_CLAIM_email: ada@example.org\r\n\r\n");
            String text = client.response().text();
            assertTrue(text.contains("HTTP_OIDC_CLAIM_EMAIL=ada@example.org\n"), text);
            assertFalse(text.contains("HTTP_X_OK"), text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void content_ofEitherFraming_arrivesByteForByte(String transport) throws IOException {
        byte[] content = BackEnd.content(300_000);
        try (FastCgiBackEnd backEnd = new FastCgiBackEnd();
                Gateway gateway = new Gateway(transport, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            client.send("POST /echo.php HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n");
            client.send(content);
            assertArrayEquals(content, client.response().body());
            byte[] small = Arrays.copyOf(content, 50_000);
            client.send("POST /echo.php HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("c350\r\n").send(small).send("\r\n0\r\n\r\n");
            assertArrayEquals(small, client.response().body());
            client.send("POST /echo.php HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("0\r\n\r\n");
            assertEquals(0, client.response().body().length);
            assertEquals(1, backEnd.connections());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void content_thatIsLongAndOfNoDeclaredLength_needsOne(String transport) throws IOException {
        try (FastCgiBackEnd backEnd = new FastCgiBackEnd();
                Gateway gateway = new Gateway(transport, backEnd.peer());
                RawHttpClient client = gateway.client()) {
            client.send("POST /echo.php HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("186a0\r\n").send(BackEnd.content(100_000)).send("\r\n0\r\n\r\n");
            assertEquals(411, client.response().status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "native"})
    void answers_thatAreNoPlainOnes_areJudged(String transport) throws IOException {
        try (FastCgiBackEnd backEnd = new FastCgiBackEnd();
                Gateway gateway = new Gateway(transport, backEnd.peer())) {
            assertEquals(404, status(gateway, "/missing.php"));
            assertEquals(502, status(gateway, "/broken.php"));
            assertEquals(200, status(gateway, "/close.php"));
            assertEquals(200, status(gateway, "/a.php"));
        }
    }

    private static int status(Gateway gateway, String path) throws IOException {
        try (RawHttpClient client = gateway.client()) {
            return client.get(path).status();
        }
    }
}
