package io.margay.compat.tomcat.client;

import static io.margay.compat.tomcat.FakeExchange.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.tomcat.FakeExchange;
import io.margay.server.exchange.UndecidedException;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessFiltersTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, , 10.1.1.1, true",
        "10.0.0.0/8, , 192.0.2.1, false",
        ", 10.0.0.0/8, 10.1.1.1, false",
        ", 10.0.0.0/8, 192.0.2.1, true",
        "10.0.0.0/8, 10.1.0.0/16, 10.1.1.1, false",
        "10.0.0.0/8, 10.1.0.0/16, 10.2.1.1, true",
        "10.0.0.0/8, 10.1.0.0/16, 192.0.2.1, false",
        ", 10.0.0.0/8, unknown, false"
    })
    void cidr_allowAndDeny_decide(String allow, String deny, String address, boolean passes)
            throws Exception {
        Filter filter = started(new RemoteCidrFilter(), given(allow, deny));
        FakeExchange exchange = new FakeExchange();
        exchange.remoteAddr = address;
        assertEquals(passes, exchange.passes(filter));
        assertEquals(passes ? 0 : 403, exchange.error);
    }

    @ParameterizedTest
    @CsvSource({
        "127\\.\\d+\\.\\d+\\.\\d+|::1, , 127.0.0.1, true",
        "127\\.\\d+\\.\\d+\\.\\d+|::1, , 0:0:0:0:0:0:0:1, true",
        "0:0:0:0:0:0:0:1, , ::1, true",
        "127\\.0\\.0\\.1, , 127.0.0.11, false",
        ", ::1, 0:0:0:0:0:0:0:1, false",
        ", 10\\..*, 192.0.2.1, true",
        ", 10\\..*, not-an-address, false"
    })
    void address_patterns_matchTheWholeOfAnySpelling(
            String allow, String deny, String address, boolean passes) throws Exception {
        Filter filter = started(new RemoteAddrFilter(), given(allow, deny));
        FakeExchange exchange = new FakeExchange();
        exchange.remoteAddr = address;
        assertEquals(passes, exchange.passes(filter));
    }

    @Test
    void host_pattern_isAppliedToTheHostName() throws Exception {
        Filter filter =
                started(
                        new RemoteHostFilter(),
                        Map.of("allow", ".*\\.example", "denyStatus", "404"));
        FakeExchange exchange = new FakeExchange();
        exchange.remoteHost = "a.example";
        assertTrue(exchange.passes(filter));
        exchange.remoteHost = "a.example.evil";
        assertFalse(exchange.passes(filter));
        assertEquals(404, exchange.error);
    }

    @Test
    void host_forWhichThePatternDoesNotEnd_doesNotPass() throws Exception {
        for (String name : java.util.List.of("allow", "deny")) {
            Filter filter = started(new RemoteHostFilter(), Map.of(name, "(a+)+\\1!"));
            FakeExchange exchange = new FakeExchange();
            exchange.remoteHost = "a".repeat(200);
            assertThrows(UndecidedException.class, () -> exchange.passes(filter));
        }
    }

    @Test
    void connectorPort_isAppended_whenAsked() throws Exception {
        Filter filter =
                started(
                        new RemoteAddrFilter(),
                        Map.of("allow", ".*;8443", "addConnectorPort", "true"));
        FakeExchange exchange = new FakeExchange();
        exchange.localPort = 8443;
        assertTrue(exchange.passes(filter));
        exchange.localPort = 8080;
        assertFalse(exchange.passes(filter));
    }

    @ParameterizedTest
    @CsvSource({
        "allow, 10.0.0.0/99",
        "allow, ''",
        "deny, ''",
        "alow, 10.0.0.0/8",
        "allow, ${trusted}",
        "denyStatus, 200",
        "usePeerAddress, true",
        "invalidAuthenticationWhenDeny, true",
        "addConnectorPort, true"
    })
    void cidr_wrongParameter_isToldByName(String name, String value) {
        Map<String, String> params = new java.util.HashMap<>(Map.of("deny", "10.0.0.0/8"));
        params.put(name, value);
        ServletException failure =
                assertThrows(ServletException.class, () -> started(new RemoteCidrFilter(), params));
        assertTrue(failure.getMessage().contains(name), failure.getMessage());
    }

    @Test
    void rule_withoutAllowAndDeny_isAnError() {
        assertThrows(ServletException.class, () -> started(new RemoteAddrFilter(), Map.of()));
    }

    private static Map<String, String> given(String allow, String deny) {
        Map<String, String> params = new java.util.HashMap<>();
        if (allow != null) {
            params.put("allow", allow);
        }
        if (deny != null) {
            params.put("deny", deny);
        }
        return params;
    }
}
