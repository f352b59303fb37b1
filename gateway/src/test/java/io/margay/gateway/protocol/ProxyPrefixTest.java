package io.margay.gateway.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.gateway.config.ProxyVersion;
import io.margay.server.exchange.TlsInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a connection to a peer begins with, byte by byte.
class ProxyPrefixTest {
    private static final SocketAddress CLIENT = new InetSocketAddress("203.0.113.9", 54321);
    private static final SocketAddress SERVER = new InetSocketAddress("10.0.0.1", 443);
    private static final SocketAddress WIDE = new InetSocketAddress("2001:db8::9", 80);

    private static String text(SocketAddress from, SocketAddress to) {
        byte[] bytes = ProxyPrefix.of(from, to, false, null, ProxyVersion.V1);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static String hex(SocketAddress from, SocketAddress to, TlsInfo tls) {
        byte[] bytes = ProxyPrefix.of(from, to, tls != null, tls, ProxyVersion.V2);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void v1_isALineOfText() {
        assertEquals("PROXY TCP4 203.0.113.9 10.0.0.1 54321 443\r\n", text(CLIENT, SERVER));
        assertEquals("PROXY TCP6 2001:db8::9 2001:db8::9 80 80\r\n", text(WIDE, WIDE));
        assertEquals("PROXY TCP6 2001:db8::9 ::ffff:10.0.0.1 80 443\r\n", text(WIDE, SERVER));
    }

    @Test
    void v2_hasAddressesAndPorts() {
        assertEquals(
                "0d0a0d0a000d0a515549540a2111000c" + "cb007109" + "0a000001" + "d431" + "01bb",
                hex(CLIENT, SERVER, null));
        assertEquals(
                "0d0a0d0a000d0a515549540a21210024"
                        + "20010db8000000000000000000000009"
                        + "00000000000000000000ffff0a000001"
                        + "0050"
                        + "01bb",
                hex(WIDE, SERVER, null));
    }

    @Test
    void v2_saysHowTheClientSpeaksTls() {
        TlsInfo tls = new TlsInfo("TLSv1.3", "TLS_AES", 128, "", List.of());
        assertEquals(
                "0d0a0d0a000d0a515549540a21110028"
                        + "cb007109"
                        + "0a000001"
                        + "d431"
                        + "01bb"
                        + "200019"
                        + "0100000001"
                        + "210007"
                        + "544c5376312e33"
                        + "230007"
                        + "544c535f414553",
                hex(CLIENT, SERVER, tls));
    }

    @Test
    void clientsWithoutAnAddress_areUnknown() {
        SocketAddress none = UnixDomainSocketAddress.of("/run/x");
        assertEquals("PROXY UNKNOWN\r\n", text(none, SERVER));
        assertEquals("0d0a0d0a000d0a515549540a20000000", hex(CLIENT, none, null));
        assertEquals(0, ProxyPrefix.own(ProxyVersion.NONE).length);
    }
}
