package io.margay.transport.proxy;

import io.margay.transport.ProxyHeader;
import io.margay.transport.ProxyHeader.Details;
import io.margay.transport.proxy.ProxyDecoder.Read;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The line of version 1 of the PROXY protocol. Stateless.
final class ProxyLine {
    private static final int WORDS = 6;
    private static final int PORT_MAX = 65_535;
    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");
    private static final Pattern PORT = Pattern.compile("0|[1-9][0-9]{0,4}");

    private ProxyLine() {}

    /// Reads a line.
    ///
    /// @param length its bytes, without its end
    static Read read(byte[] bytes, int length) {
        String line = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        if (line.equals("PROXY UNKNOWN") || line.startsWith("PROXY UNKNOWN ")) {
            return new Read.Good(ProxyHeader.NOTHING);
        }
        String[] words = line.split(" ", -1);
        if (words.length != WORDS) {
            return new Read.Bad("its line has not six words");
        }
        boolean four = words[1].equals("TCP4");
        if (!four && !words[1].equals("TCP6")) {
            return new Read.Bad("its line names an unknown protocol");
        }
        InetSocketAddress client = address(four, words[2], words[4]);
        InetSocketAddress server = address(four, words[3], words[5]);
        return client == null || server == null
                ? new Read.Bad("its line has a wrong address or port")
                : new Read.Good(new ProxyHeader(client, server, null, Details.NONE));
    }

    private static @Nullable InetSocketAddress address(boolean four, String host, String port) {
        if (!(four ? IPV4 : IPV6).matcher(host).matches() || !PORT.matcher(port).matches()) {
            return null;
        }
        int number = Integer.parseInt(port);
        if (number > PORT_MAX) {
            return null;
        }
        try {
            InetAddress address =
                    four ? Inet4Address.ofLiteral(host) : Inet6Address.ofLiteral(host);
            return new InetSocketAddress(address, number);
        } catch (IllegalArgumentException e) {
            return null; // colons and digits that are no address
        }
    }
}
