package io.margay.server.forwarded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.forwarded.FrontEndTrust.Dialect;
import io.margay.server.forwarded.FrontEndTrust.Part;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What is taken of fields, whoever sends them.
final class ForwardedFieldsTest {
    private static final List<String> FROM = List.of("10.0.0.0/24", "2001:db8:1::/48");
    private static final Set<Part> ALL = EnumSet.allOf(Part.class);

    /// What is seen: scheme, client, authority, fields.
    private static String seen(Dialect dialect, Set<Part> take, String peer, String... fields) {
        ForwardedFields.Seen seen =
                new ForwardedFields(new FrontEndTrust(FROM, dialect, take))
                        .read(address(peer), head(fields));
        InetSocketAddress client = (InetSocketAddress) seen.client();
        return seen.scheme()
                + " "
                + (client == null ? null : client.getAddress().getHostAddress())
                + " "
                + seen.head().target().authority()
                + " "
                + seen.head().fields().toString().strip().replace("\n", "|");
    }

    private static String seen(String... fields) {
        return seen(Dialect.X_FORWARDED, ALL, "10.0.0.1", fields);
    }

    private static String standard(String... lines) {
        String[] fields = new String[lines.length];
        for (int i = 0; i < lines.length; i++) {
            fields[i] = "Forwarded: " + lines[i];
        }
        return seen(Dialect.STANDARD, ALL, "10.0.0.1", fields);
    }

    private static InetSocketAddress address(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 4711);
    }

    private static RequestHead head(String... fields) {
        Fields.Builder made = new Fields.Builder();
        for (String field : fields) {
            int colon = field.indexOf(':');
            made.add(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        RequestTarget target =
                new RequestTarget(RequestTarget.Form.ORIGIN, "/", "/", null, null, "own:8080");
        return new RequestHead("GET", target, HttpVersion.HTTP_1_1, made.build(), 0, false, true);
    }

    @Test
    void frontEnd_isBelieved() {
        assertEquals(
                "https 203.0.113.9 shop.example A: b|X-Forwarded-Proto: https"
                        + "|X-Forwarded-Host: shop.example|X-Forwarded-Port: 443",
                seen(
                        "A: b",
                        "X-Forwarded-For: 203.0.113.9",
                        "X-Forwarded-Proto: HTTPS",
                        "X-Forwarded-Host: shop.example",
                        "X-Forwarded-Port: 443"));
        assertEquals(
                "https 203.0.113.9 shop.example:8443 ",
                standard("for=203.0.113.9;proto=https;host=\"shop.example:8443\";by=10.0.0.1"));
    }

    @Test
    void client_thatIsNoFrontEnd_hasNoSuchField() {
        for (String peer : List.of("10.0.1.1", "127.0.0.1", "2001:db8:2::1", "203.0.113.9")) {
            for (Dialect dialect : Dialect.values()) {
                assertEquals(
                        "null null own:8080 A: b|Forward: c|X-Forwarding: d",
                        seen(
                                dialect,
                                ALL,
                                peer,
                                "X-Forwarded-For: 10.0.0.1",
                                "A: b",
                                "x-forwarded-proto: https",
                                "X-FORWARDED-HOST: evil.example",
                                "X-Forwarded-Port: 443",
                                "X-Forwarded-Client-Cert: x",
                                "X_Forwarded_Proto: https",
                                "Forward: c",
                                "Forwarded: for=1.1.1.1;proto=https",
                                "X-Real-IP: 1.1.1.1",
                                "X_Real_IP: 1.1.1.1",
                                "X-Forwarding: d"));
            }
        }
        RequestHead plain = head("A: b", "Forward: c");
        assertSame(
                plain,
                new ForwardedFields(
                                new FrontEndTrust(
                                        FROM, Dialect.X_FORWARDED, FrontEndTrust.TAKE_DEFAULT))
                        .read(address("127.0.0.1"), plain)
                        .head());
    }

    @Test
    void scheme_isHttpsOnlyWhenEveryValueSaysSo() {
        String none = "null null own:8080 ";
        String https = "https null own:8080 X-Forwarded-Proto: https";
        String http = "http null own:8080 X-Forwarded-Proto: http";
        assertEquals(https, seen("X-Forwarded-Proto: https, https"));
        assertEquals(https, seen("X-Forwarded-Proto: wss"));
        assertEquals(http, seen("X-Forwarded-Proto: https, http"));
        assertEquals(http, seen("X-Forwarded-Proto: http, https"));
        assertEquals(http, seen("X-Forwarded-Proto: https", "X-Forwarded-Proto: http"));
        assertEquals(http, seen("X-Forwarded-Proto: https,"));
        assertEquals(http, seen("X-Forwarded-Proto: httpsx"));
        assertEquals(http, seen("X-Forwarded-Proto: \"https\""));
        assertEquals(http, seen("X-Forwarded-Proto: javascript"));
        assertEquals(none, seen("X-Forwarded-Proto: "));
        assertEquals(none, seen("X_Forwarded_Proto: https"));
        assertEquals("http null own:8080 ", standard("proto=http", "proto=https"));
        assertEquals("http null own:8080 ", standard("for=unknown, proto=https;proto=x", "x=y"));
        assertEquals("https null own:8080 ", standard("proto=HTTPS, for=unknown;proto=wss"));
    }

    @Test
    void client_isTheNearestThatIsNoFrontEnd() {
        assertEquals(
                "null 203.0.113.9 own:8080 X-Forwarded-For: 10.0.0.7, 1.1.1.1",
                seen(
                        "X-Forwarded-For: 10.0.0.7, 1.1.1.1",
                        "X-Forwarded-For: 203.0.113.9,10.0.0.2"));
        assertEquals(
                "null 2001:db8:0:0:0:0:0:9 own:8080 ",
                seen("X-Forwarded-For: [2001:db8::9]:443").replace("|", ""));
        assertEquals("null 2001:db8:0:0:0:0:0:9 own:8080 ", seen("X-Forwarded-For: 2001:db8::9"));
        assertEquals("null 203.0.113.9 own:8080 ", seen("X-Forwarded-For: 203.0.113.9:1"));
        for (String none :
                List.of(
                        "unknown",
                        "203.0.113.999",
                        "203.0.113.9:70000",
                        "1.1.1.1,",
                        "a.example",
                        "fe80::1%eth0",
                        "[203.0.113.9]",
                        "127.1")) {
            assertEquals(
                    "null null own:8080 X-Forwarded-For: "
                            + none.replace(",", ", ").stripTrailing(),
                    seen("X-Forwarded-For: " + none).stripTrailing(),
                    none);
        }
        // Who is believed is asked of each of them, and not of the connection alone.
        assertEquals(
                "null 10.0.1.1 own:8080 X-Forwarded-For: 9.9.9.9",
                seen("X-Forwarded-For: 9.9.9.9, 10.0.1.1"));
    }

    @Test
    void longAddress_isRead_andWhatIsNoneCostsNothing() {
        assertEquals(
                "null 2001:db8:0:0:0:ffff:cb64:716d own:8080 ",
                seen("X-Forwarded-For: [2001:0db8:0000:0000:0000:ffff:203.100.113.109]:65535"));
        String colons = ":".repeat(20_000) + "x";
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> {
                    assertEquals(
                            "null null own:8080 X-Forwarded-For: " + colons,
                            seen("X-Forwarded-For: " + colons));
                    assertEquals("null null own:8080 ", standard("for=\"[" + colons + "\""));
                });
    }

    @Test
    void hostAndPort_areTheLast_andMustBeSuch() {
        assertEquals(
                "null null b.example:8080 X-Forwarded-Host: b.example:8080",
                seen("X-Forwarded-Host: a.example", "X-Forwarded-Host: evil, b.example:8080"));
        assertEquals(
                "null null [2001:db8::1]:81 X-Forwarded-Host: [2001:db8::1]:9|X-Forwarded-Port: 81",
                seen("X-Forwarded-Host: [2001:db8::1]:9", "X-Forwarded-Port: 80, 81"));
        for (String wrong :
                List.of(
                        "a b",
                        "a/b",
                        "a@b",
                        "a:99999",
                        "a.example, ",
                        "http://a",
                        "2001:db8::1",
                        "a\"b",
                        "a%00",
                        "ü")) {
            assertEquals("null null own:8080 ", seen("X-Forwarded-Host: " + wrong), wrong);
        }
        for (String wrong : List.of("0", "65536", "-1", "+80", "8 0", "80x", "000080", "443,")) {
            assertEquals("null null own:8080 ", seen("X-Forwarded-Port: " + wrong), wrong);
        }
        assertEquals(
                "http null own X-Forwarded-Proto: http|X-Forwarded-Port: 80",
                seen("X-Forwarded-Proto: http", "X-Forwarded-Port: 80"));
    }

    @Test
    void fields_thatAreNotTaken_areRemoved_butTheAddress() {
        assertEquals(
                "null null own:81 X-Forwarded-Client-Cert: c|X-Real-IP: 1.1.1.1"
                        + "|X-Forwarded-For: 1.1.1.1|X-Forwarded-For: 2.2.2.2"
                        + "|X-Forwarded-Port: 81",
                seen(
                        Dialect.X_FORWARDED,
                        Set.of(Part.PORT),
                        "10.0.0.1",
                        "Forwarded: for=1.1.1.1;proto=https",
                        "X-Forwarded-For: 1.1.1.1",
                        "X-Forwarded-Client-Cert: c",
                        "X-Forwarded-For: 2.2.2.2",
                        "X-Forwarded-Host: evil.example",
                        "X-Real-IP: 1.1.1.1",
                        "X-Forwarded-Proto: https",
                        "X-Forwarded-Port: 81"));
        assertEquals(
                "null null own:8080 ",
                seen(
                        Dialect.STANDARD,
                        Set.of(Part.PROTO),
                        "10.0.0.1",
                        "X-Forwarded-Proto: https",
                        "Forwarded: for=1.1.1.1;host=evil"));
    }

    @Test
    void standard_isReadFromTheEnd_whateverClientsHavePutBefore() {
        String own = "for=203.0.113.9;proto=https;host=shop.example";
        for (String before :
                List.of(
                        "for=\"x",
                        "for=\"x, for=1.1.1.1",
                        "\"",
                        "for=\"[2001:db8::1",
                        "for=10.0.0.5;host=evil.example",
                        "proto=https;host=evil.example;;")) {
            String seen = standard(before + ", " + own);
            assertEquals("203.0.113.9 shop.example", seen.split(" ", 2)[1].strip(), before);
        }
        assertEquals(
                "https 2001:db8:0:0:0:0:0:9 own:8080 ",
                standard("For=\"[2001:db8::9]:4711\" ; PROTO = \"https\""));
        for (String wrong :
                List.of(
                        "for",
                        "for=",
                        "for=\"1.1.1.1",
                        "for=1.1.1.1\"",
                        "for=_hidden",
                        "for=unknown",
                        "for=1.1.1.1;for=2.2.2.2",
                        "for=\"1.1.1.1\\",
                        "host=\"a b\"",
                        "host=a/b")) {
            assertEquals("null own:8080", standard(wrong).split(" ", 2)[1].strip(), wrong);
        }
    }

    @Test
    void networks_compareWholeBits() {
        Networks networks =
                Networks.of(List.of("10.1.2.128/25", "192.0.2.1", "2001:db8::/33", "::/0"));
        assertEquals(true, networks.includes(InetAddress.ofLiteral("10.1.2.129")));
        assertEquals(false, networks.includes(InetAddress.ofLiteral("10.1.2.127")));
        assertEquals(true, networks.includes(InetAddress.ofLiteral("192.0.2.1")));
        assertEquals(false, networks.includes(InetAddress.ofLiteral("192.0.2.2")));
        assertEquals(true, networks.includes(InetAddress.ofLiteral("ffff::1")));
        assertEquals(
                false, Networks.of(List.of("::/0")).includes(InetAddress.ofLiteral("1.1.1.1")));
        assertEquals(true, Networks.of(List.of("0.0.0.0/0")).includes(address("1.1.1.1")));
        Networks half = Networks.of(List.of("2001:db8:8000::/33"));
        assertEquals(true, half.includes(address("2001:db8:ffff::1")));
        assertEquals(false, half.includes(address("2001:db8:7fff::1")));
        assertEquals(false, half.includes(InetSocketAddress.createUnresolved("2001.example", 1)));
    }
}
