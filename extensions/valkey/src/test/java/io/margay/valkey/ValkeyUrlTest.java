package io.margay.valkey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;

/// What URLs of Valkey say.
final class ValkeyUrlTest {
    @Test
    void url_withAHost_hasTheUsualPort() {
        ValkeyUrl url = ValkeyUrl.of("redis://cache");
        assertEquals(ValkeyUrl.Form.SINGLE, url.form());
        assertEquals(List.of(new HostAndPort("cache", 6379)), url.hosts());
        assertFalse(url.tls());
        assertNull(url.user());
        assertNull(url.password());
    }

    @Test
    void url_withEverything_isRead() {
        ValkeyUrl url = ValkeyUrl.of("rediss://shop:p%40s:s+@[::1]:6380/3?ca=/etc/ca.pem");
        assertTrue(url.tls());
        assertEquals("shop", url.user());
        assertEquals("p@s:s+", url.password());
        assertEquals(List.of(new HostAndPort("::1", 6380)), url.hosts());
        assertEquals(3, url.database());
        assertEquals("/etc/ca.pem", url.authority());
        assertFalse(url.toString().contains("p@s"));
    }

    @Test
    void url_ofSentinels_namesThePrimary() {
        ValkeyUrl url = ValkeyUrl.of("valkey+sentinel://:secret@a,b:1234/sessions/2");
        assertEquals(ValkeyUrl.Form.SENTINEL, url.form());
        assertEquals("sessions", url.primary());
        assertEquals(2, url.database());
        assertNull(url.user());
        assertEquals("secret", url.password());
        assertEquals(List.of(new HostAndPort("a", 26379), new HostAndPort("b", 1234)), url.hosts());
    }

    @Test
    void url_ofACluster_hasSeveralHosts() {
        ValkeyUrl url = ValkeyUrl.of("valkeys+cluster://a:1,b:2");
        assertEquals(ValkeyUrl.Form.CLUSTER, url.form());
        assertTrue(url.tls());
        assertEquals(2, url.hosts().size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "host:6379",
                "http://host",
                "redis://",
                "redis://user@host",
                "redis://a,b",
                "redis://host:port",
                "redis://host:70000",
                "redis://host/0/1",
                "redis://host/x",
                "redis://host?timeout=1",
                "redis://:%zz@host",
                "redis+sentinel://host",
                "redis+cluster://host/1",
                "redis+ring://host"
            })
    void url_thatMakesNoSense_isRefusedWithoutItsPassword(String text) {
        var e = assertThrows(IllegalArgumentException.class, () -> ValkeyUrl.of(text));
        assertTrue(e.getMessage().startsWith("the URL "), e.getMessage());
    }
}
