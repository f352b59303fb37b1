package io.margay.lab.generator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.margay.lab.load.LoadJob;
import io.margay.lab.site.ShopApp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Logins at a server that changes the identifier of a session with each, as containers do.
final class LoginsTest {
    private final AtomicInteger numbers = new AtomicInteger();
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final HttpServer server = create();
    private String title = ShopApp.ACCOUNT_TITLE;

    private static HttpServer create() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void start() {
        server.createContext(ShopApp.ACCOUNT, this::account);
        server.createContext(ShopApp.LOGIN, this::login);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void account(HttpExchange exchange) throws IOException {
        String cookie = String.valueOf(exchange.getRequestHeaders().getFirst("Cookie"));
        boolean may = known.contains(cookie);
        if (!may) {
            begin(exchange, "asked");
        }
        byte[] page = (may ? title : "<form action=j_security_check>").getBytes(UTF_8);
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
        exchange.close();
    }

    private void login(HttpExchange exchange) throws IOException {
        String cookie = String.valueOf(exchange.getRequestHeaders().getFirst("Cookie"));
        String form = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        if (cookie.startsWith("id=asked") && form.equals(ShopApp.CREDENTIALS)) {
            known.add(begin(exchange, "in"));
        }
        exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/nowhere");
        exchange.sendResponseHeaders(303, -1);
        exchange.close();
    }

    private String begin(HttpExchange exchange, String word) {
        String cookie = "id=" + word + numbers.incrementAndGet();
        exchange.getResponseHeaders().add("Set-Cookie", cookie + "; Path=/; HttpOnly");
        return cookie;
    }

    private LoadJob job() {
        return LoadJob.closed(1, false, true)
                .to(server.getAddress().getPort(), ShopApp.requests(), "");
    }

    @Test
    void users_haveSessionsOfTheirOwn_afterTheLogin() throws IOException {
        List<String> sessions = Logins.of(job(), null);
        assertEquals(known, new HashSet<>(sessions));
        assertTrue(sessions.size() > 1, sessions.toString());
    }

    @Test
    void otherPage_thanThatOfTheUser_isAFailure() {
        title = "<h1>Orders of nobody</h1>";
        assertThrows(IOException.class, () -> Logins.of(job(), null));
    }

    @Test
    void pathOfAUser_hasTheSession_andOthersStayAsTheyAre() {
        assertEquals("/plain", Logins.path("/plain", "id=1"));
        String own = Logins.path(ShopApp.USER + "/shop/cart", "id=1");
        assertTrue(own.startsWith("WITH ") && own.endsWith(" /shop/cart"), own);
        assertTrue(own.contains("cookie=id%3D1"), own);
    }
}
