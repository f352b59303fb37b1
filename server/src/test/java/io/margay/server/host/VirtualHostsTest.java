package io.margay.server.host;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.server.exchange.Handler;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VirtualHostsTest {
    private final Handler shop = exchange -> {};
    private final Handler wild = exchange -> {};
    private final Handler deeper = exchange -> {};
    private final Handler any = exchange -> {};

    @Test
    void order_isExactLongestSuffixAny() {
        VirtualHosts hosts =
                new VirtualHosts(
                        Map.of(
                                "shop.example", shop,
                                "*.example", wild,
                                "*.in.example", deeper,
                                "*", any));
        assertSame(shop, hosts.find("Shop.Example"));
        assertSame(shop, hosts.find("shop.example."));
        assertSame(wild, hosts.find("a.example"));
        assertSame(deeper, hosts.find("a.b.in.example"));
        assertSame(any, hosts.find("example"));
        assertSame(any, hosts.find(null));
    }

    @Test
    void withoutAny_otherHosts_haveNoHandler() {
        VirtualHosts hosts = new VirtualHosts(Map.of("shop.example", shop));
        assertNull(hosts.find("evil.example"));
        assertNull(hosts.find(null));
    }

    @Test
    void name_malformed_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new VirtualHosts(Map.of("a.*.b", shop)));
    }

    @Test
    void replace_swapsTheTable() {
        VirtualHosts hosts = new VirtualHosts(Map.of("*", any));
        hosts.replace(Map.of("*", shop));
        assertSame(shop, hosts.find("x"));
    }
}
