package io.margay.server.host;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.server.exchange.Handler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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
        assertSame(any, hosts.find((String) null));
    }

    @Test
    void order_isExactSuffixLongestPrefixFirstExpressionAny() {
        Map<String, Handler> table = new LinkedHashMap<>();
        table.put("~^w+\\.", deeper);
        table.put("~example", any);
        table.put("www.*", wild);
        table.put("www.shop.*", shop);
        VirtualHosts hosts = new VirtualHosts(table, text -> Pattern.compile(text).asPredicate());
        assertSame(shop, hosts.find("WWW.shop.example"));
        assertSame(wild, hosts.find("www.other.example"));
        assertSame(deeper, hosts.find("w.example"));
        assertSame(any, hosts.find("an.example"));
        assertNull(hosts.find("www"));
    }

    @Test
    void withoutAny_otherHosts_haveNoHandler() {
        VirtualHosts hosts = new VirtualHosts(Map.of("shop.example", shop));
        assertNull(hosts.find("evil.example"));
        assertNull(hosts.find((String) null));
    }

    @Test
    void localhost_answersToItsAddresses_unlessTheyAreAnothers() {
        VirtualHosts hosts = new VirtualHosts(Map.of("localhost", shop));
        assertSame(shop, hosts.find("127.0.0.1"));
        assertSame(shop, hosts.find("[::1]"));
        assertNull(hosts.find("127.0.0.2"));
        assertSame(
                wild,
                new VirtualHosts(Map.of("localhost", shop, "127.0.0.1", wild)).find("127.0.0.1"));
        assertSame(any, new VirtualHosts(Map.of("localhost", shop, "*", any)).find("127.0.0.1"));
        assertNull(new VirtualHosts(Map.of("shop.example", shop)).find("127.0.0.1"));
    }

    @Test
    void name_malformed_isRefused() {
        for (String name : List.of("a.*.b", "a*", "~a")) {
            assertThrows(
                    IllegalArgumentException.class, () -> new VirtualHosts(Map.of(name, shop)));
        }
    }

    @Test
    void replace_swapsTheTable() {
        VirtualHosts hosts = new VirtualHosts(Map.of("*", any));
        hosts.replace(Map.of("*", shop));
        assertSame(shop, hosts.find("x"));
    }
}
