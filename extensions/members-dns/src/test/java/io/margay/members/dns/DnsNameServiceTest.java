package io.margay.members.dns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.discovery.NameAnswer;
import io.margay.testkit.FreePort;
import io.margay.testkit.ScriptedNameServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DnsNameServiceTest {
    private static final DnsLimits QUICK = new DnsLimits(Duration.ofMillis(300), 1, 8);

    private ScriptedNameServer server;
    private DnsNameService names;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedNameServer();
        names = new DnsNameService(List.of(server.address()), QUICK);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static NameAnswer.Entries entries(NameAnswer answer) {
        return assertInstanceOf(NameAnswer.Entries.class, answer);
    }

    private static List<String> hosts(NameAnswer answer) {
        return entries(answer).entries().stream().map(NameAnswer.Entry::host).sorted().toList();
    }

    private static String absent(NameAnswer answer) {
        return assertInstanceOf(NameAnswer.Absent.class, answer).why();
    }

    private static String failed(NameAnswer answer) {
        return assertInstanceOf(NameAnswer.Failed.class, answer).why();
    }

    @Test
    void addresses_holdForTheShortestTimeToLive() throws Exception {
        server.zone(
                "app.internal. 30 A 10.0.0.5",
                "app.internal. 30 A 10.0.0.6",
                "app.internal. 60 AAAA 2001:db8::7");
        NameAnswer four = names.addresses("app.internal", false);
        assertEquals(List.of("10.0.0.5", "10.0.0.6"), hosts(four));
        assertEquals(Duration.ofSeconds(30), entries(four).ttl());
        assertEquals(
                List.of("2001:db8:0:0:0:0:0:7"), hosts(names.addresses("app.internal.", true)));
        assertEquals("app.internal. A", server.questions().getFirst());
    }

    @Test
    void services_havePortPriorityAndWeight() throws Exception {
        server.zone("_http._tcp.app.internal. 5 SRV 10 3 8081 pod-0.app.internal.");
        assertEquals(
                List.of(new NameAnswer.Entry("pod-0.app.internal.", 8081, 10, 3)),
                entries(names.services("_http._tcp.app.internal")).entries());
    }

    @Test
    void alias_isFollowed_withItsTimeToLive() throws Exception {
        server.zone("www.internal. 7 CNAME app.internal.", "app.internal. 30 A 10.0.0.5");
        NameAnswer answer = names.addresses("www.internal", false);
        assertEquals(List.of("10.0.0.5"), hosts(answer));
        assertEquals(Duration.ofSeconds(7), entries(answer).ttl());
    }

    @Test
    void aliases_thatLeadNowhereOrInACircle_areNoAddresses() throws Exception {
        server.zone("www.internal. 7 CNAME gone.internal.");
        assertEquals(
                "there is no name gone.internal.", absent(names.addresses("www.internal", false)));
        String[] chain =
                IntStream.range(0, 10)
                        .mapToObj(i -> "a" + i + ".internal. 7 CNAME a" + (i + 1) + ".internal.")
                        .toArray(String[]::new);
        server.zone(chain);
        String why = failed(names.addresses("a0.internal", false));
        assertTrue(why.endsWith("too many aliases"), why);
    }

    @Test
    void name_thatIsNotThere_isTold_apartFromAServerThatFails() throws Exception {
        server.zone("app.internal. 30 A 10.0.0.5");
        assertEquals("there is no name b.internal.", absent(names.addresses("b.internal", false)));
        assertEquals(
                "app.internal. has no AAAA record", absent(names.addresses("app.internal", true)));
        server.fail("SERVFAIL");
        assertEquals(
                "the DNS does not tell A of app.internal.: SERVFAIL",
                failed(names.addresses("app.internal", false)));
        server.fail("REFUSED");
        assertTrue(failed(names.services("app.internal")).endsWith("REFUSED"));
        server.silence();
        String why = failed(names.addresses("app.internal", false));
        assertTrue(why.startsWith("the DNS does not tell A of app.internal: "), why);
        server.zone("app.internal. 30 A 10.0.0.5");
        assertEquals(List.of("10.0.0.5"), hosts(names.addresses("app.internal", false)));
    }

    @Test
    void answer_thatIsTooLongForUdp_comesByTcp() throws Exception {
        server.truncate();
        server.zone(
                IntStream.range(0, 200)
                        .mapToObj(i -> "app.internal. 30 A 10.0.1." + i)
                        .toArray(String[]::new));
        assertEquals(200, hosts(names.addresses("app.internal", false)).size());
    }

    @Test
    void server_thatIsGone_isFollowedByTheNext() throws Exception {
        server.zone("app.internal. 30 A 10.0.0.5");
        InetSocketAddress gone =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next());
        names = new DnsNameService(List.of(gone, server.address()), QUICK);
        assertEquals(List.of("10.0.0.5"), hosts(names.addresses("app.internal", false)));
    }

    @Test
    void text_thatIsNoName_isAbsent() {
        String label = "a".repeat(64);
        assertTrue(absent(names.addresses(label, false)).contains("is not a name of the DNS"));
    }
}
