package io.margay.gateway.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HashKey;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.server.forwarded.Networks;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What methods of balancing learn of requests and their answers.
final class MethodTest {
    private BackEnd one;
    private BackEnd other;

    @BeforeEach
    void open() throws IOException {
        one = new BackEnd(PeerScheme.HTTP);
        other = new BackEnd(PeerScheme.HTTP);
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private Gateway gateway(BalanceMethod method, HashKey by) throws IOException {
        UpstreamConfig config =
                UpstreamConfig.of("backend", List.of(one.peer("one"), other.peer("other")))
                        .withMethod(method)
                        .withHashBy(by);
        return new Gateway(
                "nio", ProxyRules.defaults(), Networks.NONE, PeerLimits.defaults(), config);
    }

    private static void get(RawHttpClient client, String path, String field) throws IOException {
        client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + field + "\r\n");
        assertEquals(200, client.response().status());
    }

    private static List<Long> used(Gateway gateway) {
        return gateway.upstream.peers().stream().map(peer -> peer.used()).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "header X-Tenant, /, 'X-Tenant: %d\r\n'",
        "cookie SID, /, 'Cookie: a=b; SID=%d\r\n'",
        "path, /%d?again, ''"
    })
    void requestsWithTheSameKey_goToTheSamePeer(String by, String path, String field)
            throws Exception {
        try (Gateway gateway = gateway(BalanceMethod.HASH, HashKey.of(by));
                RawHttpClient client = gateway.client()) {
            for (int key = 0; key < 32; key++) {
                List<Long> before = used(gateway);
                for (int i = 0; i < 3; i++) {
                    get(client, path.formatted(key), field.formatted(key));
                }
                long of = used(gateway).getFirst() - before.getFirst();
                assertTrue(of == 0 || of == 3, () -> "key led to both: " + of);
            }
            assertTrue(used(gateway).stream().allMatch(count -> count > 0), "all to one");
        }
    }

    @Test
    void requestsOfOneClient_goToTheSamePeer() throws Exception {
        try (Gateway gateway = gateway(BalanceMethod.HASH, HashKey.client())) {
            for (int i = 0; i < 6; i++) {
                try (RawHttpClient client = gateway.client()) {
                    get(client, "/" + i, "");
                }
            }
            assertTrue(used(gateway).contains(6L), () -> "" + used(gateway));
        }
    }

    /// One answer is enough to know a peer, and the other one is tried next.
    @Test
    void answers_areMeasured() throws Exception {
        for (int round = 0; round < 8; round++) {
            try (Gateway gateway = gateway(BalanceMethod.LEAST_TIME, HashKey.client());
                    RawHttpClient client = gateway.client()) {
                get(client, "/", "");
                get(client, "/", "");
                assertEquals(List.of(1L, 1L), used(gateway));
            }
        }
    }
}
