package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http2.Http2Session.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// A client session against a server session: messages both ways, windows, and the input cut at
/// every position.
class Http2SessionTest {
    private final Http2Peers peers = new Http2Peers(Http2Limits.defaults());

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private Http2Stream request(FieldList head, boolean ends) {
        Http2Stream stream = peers.client.request(head, -1, ends);
        assertNotNull(stream);
        peers.settle();
        return stream;
    }

    private Http2Stream atServer(int id) {
        return peers.server.streams().stream().filter(s -> s.id() == id).findFirst().orElseThrow();
    }

    @Test
    void request_withoutContent_andItsResponse() {
        request(Http2Peers.get("/a?b=c"), true);
        assertEquals(List.of("HEAD 1 GET /a?b=c 0 host: a.example end"), peers.atServer);
        Http2Stream stream = atServer(1);
        peers.server.respond(
                stream, 200, new FieldList().add("Content-Type", "text/plain"), 2, "D", false);
        assertEquals(2, peers.server.send(stream, text("hi"), 0, 2, true));
        peers.settle();
        assertEquals(
                List.of(
                        "HEAD 1 200 2 content-type: text/plain, content-length: 2, date: D",
                        "DATA 1 hi end"),
                peers.atClient);
        assertEquals(1, peers.server.slots(), "until the work is over");
        peers.server.release(stream);
        assertEquals(0, peers.server.slots());
    }

    @Test
    void cookieCrumbs_areJoined() {
        request(Http2Peers.get("/").add("cookie", "a=b").add("cookie", "c=d"), true);
        assertEquals(
                List.of("HEAD 1 GET / 0 host: a.example, cookie: a=b; c=d end"), peers.atServer);
    }

    @Test
    void content_andTrailers_bothWays() {
        Http2Stream stream = request(Http2Peers.head("POST", "/"), false);
        peers.client.send(stream, text("abc"), 0, 3, false);
        peers.client.sendTrailers(stream, new FieldList().add("Sum", "1"));
        peers.settle();
        assertEquals(
                List.of("HEAD 1 POST / -1 host: a.example", "DATA 1 abc", "TRAILERS 1 sum: 1 end"),
                peers.atServer);
        Http2Stream there = atServer(1);
        peers.server.respond(there, 103, new FieldList().add("link", "</x>"), -1, null, false);
        peers.server.respond(there, 200, new FieldList(), -1, null, false);
        peers.server.send(there, text("x"), 0, 1, false);
        peers.server.sendTrailers(there, new FieldList().add("T", "2"));
        peers.settle();
        assertEquals(
                List.of(
                        "HEAD 1 103 0 link: </x>",
                        "HEAD 1 200 -1 ",
                        "DATA 1 x",
                        "TRAILERS 1 t: 2 end"),
                peers.atClient);
    }

    @Test
    void trailers_thatSpeakForTheHead_areDropped_inBothDirections() {
        Http2Stream stream = request(Http2Peers.head("POST", "/"), false);
        FieldList evil = new FieldList();
        for (String name :
                List.of(
                        "Authorization",
                        "Cookie",
                        "Set-Cookie",
                        "X-Forwarded-For",
                        "X-Forwarded-Tls-Client-Cert",
                        "X-Real-IP",
                        "Range",
                        "Content-Type")) {
            evil.add(name, "evil");
        }
        peers.client.sendTrailers(stream, evil.add("Sum", "1"));
        peers.settle();
        assertEquals("TRAILERS 1 sum: 1 end", peers.atServer.getLast());
        Http2Stream there = atServer(1);
        peers.server.respond(there, 200, new FieldList(), -1, null, false);
        peers.server.sendTrailers(there, evil);
        peers.settle();
        assertEquals("TRAILERS 1 sum: 1 end", peers.atClient.getLast());
    }

    @Test
    void head_largerThanAFrame_isContinued() {
        FieldList fields = new FieldList();
        for (int i = 0; i < 60; i++) {
            fields.add("x-" + i, "~".repeat(400));
        }
        request(Http2Peers.get("/"), true);
        // The client of this test keeps to the same limit for heads.
        peers.server.respond(atServer(1), 200, fields, -1, null, true);
        byte[] out = peers.server.output().exchange(new byte[0]);
        assertEquals(Http2.HEADERS, out[3]);
        assertEquals(0, out[4] & Http2.FLAG_END_HEADERS);
        int second = 9 + Http2.FRAME_SIZE_DEFAULT;
        assertEquals(Http2.CONTINUATION, out[second + 3]);
        assertEquals(Http2.FLAG_END_HEADERS, out[second + 4]);
    }

    /// What the client of this test sends of `much` until there is no room.
    private int sendToServer(Http2Stream stream, byte[] much) {
        int sent = 0;
        for (int n = -1; n != 0; sent += n) {
            n = peers.client.send(stream, much, sent, much.length - sent, false);
        }
        peers.settle();
        return sent;
    }

    @Test
    void windowsOfClients_areSmall_untilContentIsRead() {
        Http2Limits limits = Http2Limits.defaults();
        byte[] much = new byte[2_000_000];
        peers.settle();
        List<Http2Stream> here = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            here.add(request(Http2Peers.head("POST", "/"), false));
        }
        assertEquals(limits.firstWindowBytes(), sendToServer(here.get(0), much));
        assertEquals(limits.firstWindowBytes(), sendToServer(here.get(1), much));
        assertEquals(0, sendToServer(here.get(2), much), "the connection has no room");

        Http2Stream there = atServer(here.getFirst().id());
        peers.server.used(there, limits.firstWindowBytes());
        peers.settle();
        assertEquals(limits.streamWindowBytes(), sendToServer(here.getFirst(), much));
        for (int i = 0; i < 100; i++) {
            peers.server.used(there, limits.streamWindowBytes());
            peers.settle();
            assertEquals(limits.streamWindowBytes(), sendToServer(here.getFirst(), much));
        }
    }

    @Test
    void content_goesOnlyAsFarAsTheWindows() {
        request(Http2Peers.get("/"), true);
        Http2Stream stream = atServer(1);
        peers.server.respond(stream, 200, new FieldList(), -1, null, false);
        byte[] much = new byte[200_000];
        int sent = 0;
        for (int n = -1; n != 0; sent += n) {
            n = peers.server.send(stream, much, sent, much.length - sent, true);
        }
        assertEquals(Http2Limits.defaults().streamWindowBytes(), sent);
        peers.settle();
        Http2Stream here = peers.client.streams().getFirst();
        peers.client.used(here, sent);
        peers.settle();
        for (int n = -1; n != 0 && sent < much.length; sent += n) {
            n = peers.server.send(stream, much, sent, much.length - sent, true);
        }
        assertEquals(much.length, sent);
        peers.settle();
        assertTrue(peers.atClient.getLast().endsWith(" end"));
    }

    /// As clients of event streams do, whose frames are small.
    @Test
    void client_thatGivesRoomForEachFrame_isNoAttack_butOneThatGivesItForNothing() {
        request(Http2Peers.get("/"), true);
        Http2Stream stream = atServer(1);
        peers.server.respond(stream, 200, new FieldList(), -1, null, false);
        byte[] room = {
            0, 0, 4, 8, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1
        };
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            assertEquals(1, peers.server.send(stream, text("x"), 0, 1, false));
            int _ = Http2Peers.receive(peers.server, room, 0, room.length, told);
            byte[] _ = peers.server.output().exchange(new byte[0]);
        }
        assertEquals(List.of(), told);
        for (int i = 0; i < 20_000 && told.isEmpty(); i++) {
            int _ = Http2Peers.receive(peers.server, room, 0, room.length, told);
        }
        assertEquals(List.of("FAILED 11"), told);
    }

    @Test
    void content_isCutIntoFramesThatFillARecord_unlessThatMakesOneMore() {
        int[][] cases = {{40_000, 16_375}, {32_768, 16_384}, {16_384, 16_384}, {16_380, 16_380}};
        for (int[] sizes : cases) {
            peers.client.request(Http2Peers.get("/"), -1, true);
            peers.settle();
            Http2Stream stream = peers.server.streams().getFirst();
            peers.server.respond(stream, 200, new FieldList(), -1, null, false);
            byte[] content = new byte[sizes[0]];
            assertEquals(sizes[1], peers.server.send(stream, content, 0, sizes[0], true));
            peers.server.reset(stream, Http2.CANCEL);
            peers.server.release(stream);
            peers.settle();
        }
    }

    @Test
    void reset_byTheClient_isTold_andItsLateFramesAreIgnored() {
        Http2Stream stream = request(Http2Peers.head("POST", "/"), false);
        peers.client.reset(stream, Http2.CANCEL);
        peers.settle();
        assertEquals("RESET 1 -1", peers.atServer.getLast());
        Http2Stream second = request(Http2Peers.head("POST", "/"), false);
        peers.server.reset(atServer(3), Http2.NO_ERROR);
        peers.client.send(second, text("late"), 0, 4, true);
        Http2Peers.carry(peers.client, peers.server, peers.atServer);
        assertEquals("HEAD 3 POST / -1 host: a.example", peers.atServer.getLast());
        peers.settle();
        assertEquals("RESET 3 -1", peers.atClient.getLast());
    }

    @Test
    void extendedConnect_isAnUpgrade() {
        FieldList head = Http2Peers.head("CONNECT", "/chat").add(":protocol", "websocket");
        // The pseudo-header field comes before the others.
        request(head, false);
        assertTrue(peers.client.mayConnectProtocols());
        assertEquals(
                List.of(
                        "HEAD 1 GET /chat 0 upgrade: websocket, connection: Upgrade,"
                                + " sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==, host: a.example"),
                peers.atServer);
        request(Http2Peers.head("CONNECT", "/").add(":protocol", "other"), false);
        assertEquals("REFUSED 3 501", peers.atServer.getLast());
    }

    @Test
    void goAway_refusesFurtherStreams() {
        request(Http2Peers.get("/"), true);
        peers.server.goAway(peers.server.lastPeerId(), Http2.NO_ERROR);
        peers.settle();
        assertEquals(List.of("GOAWAY"), peers.atClient);
        request(Http2Peers.get("/late"), true);
        assertEquals("RESET 3 -1", peers.atClient.getLast());
        assertEquals(1, peers.atServer.size());
    }

    @Test
    void fields_thatCannotBeSent_areRefusedBeforeAnythingIs() {
        request(Http2Peers.get("/"), true);
        Http2Stream stream = atServer(1);
        int before = peers.server.output().size();
        for (FieldList bad :
                List.of(
                        new FieldList().add("x", "a\r\nb: c"),
                        new FieldList().add("a b", "c"),
                        new FieldList().add("x", "\u20ac"))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> peers.server.respond(stream, 200, bad, -1, null, true));
        }
        assertEquals(before, peers.server.output().size());
    }

    /// One more than that is 431, of cookies together.
    @Test
    void fields_mayEachHaveSoManyOctets() {
        Http2Peers small =
                new Http2Peers(
                        new Http2Limits(
                                100, 20, 65_536, 131_072, 1_048_576, 16_384, 100, 50, 8_192, 32_768,
                                8, 131_072, 4_096, 32, 100, 262_144, 1_000, 100));
        String cookie = "c".repeat(20);
        small.client.request(Http2Peers.get("/a").add("x", "y".repeat(47)), -1, true);
        small.client.request(Http2Peers.get("/b").add("x", "y".repeat(48)), -1, true);
        small.client.request(
                Http2Peers.get("/c").add("cookie", cookie).add("cookie", cookie), -1, true);
        small.client.request(
                Http2Peers.get("/d").add("cookie", cookie).add("cookie", cookie + "d"), -1, true);
        small.settle();
        assertEquals(
                List.of("HEAD 1", "REFUSED 3 431", "HEAD 5", "REFUSED 7 431"),
                small.atServer.stream()
                        .map(event -> event.startsWith("HEAD") ? event.substring(0, 6) : event)
                        .filter(event -> event.startsWith("HEAD") || event.startsWith("REFUSED"))
                        .toList());
    }

    @Test
    void streams_beyondWhatTheServerAllows_areNotBegun() {
        Http2Peers few =
                new Http2Peers(Http2Limits.defaults().withStreamsMax(2).withExecutionsMax(2));
        few.settle();
        assertNotNull(few.client.request(Http2Peers.get("/1"), -1, true));
        assertNotNull(few.client.request(Http2Peers.get("/2"), -1, true));
        assertNull(few.client.request(Http2Peers.get("/3"), -1, true));
    }

    /// The length of a frame is looked at with its header, the first one's as any other's, and the
    /// first one is SETTINGS: nothing is waited for.
    @Test
    void cve_2026_116830_firstFrame_thatIsTooLongOrNotOfSettings_fails() {
        for (int type = Http2.DATA; type <= Http2.CONTINUATION + 1; type++) {
            byte[] header = Http2Peers.frame(type, 0, 0, new byte[0]);
            if (type != Http2.SETTINGS) {
                assertTrue(afterPreface(header).startsWith("FAILED"), "type " + type);
            }
            header[0] = header[1] = header[2] = -1;
            assertTrue(afterPreface(header).startsWith("FAILED"), "a long one of type " + type);
        }
    }

    private static String afterPreface(byte[] frame) {
        Http2Session server = new Http2Session(Role.SERVER, Http2Limits.defaults(), false, -1);
        List<String> trace = new ArrayList<>();
        byte[] preface = text("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        Http2Peers.receive(server, preface, 0, preface.length, trace);
        Http2Peers.receive(server, frame, 0, frame.length, trace);
        return trace.isEmpty() ? "" : trace.getLast();
    }

    /// Everything a client sends in a small conversation, cut at every position, tells the same.
    @Test
    void input_cutAtEveryPosition_tellsTheSame() {
        Http2Session client = new Http2Session(Role.CLIENT, Http2Limits.defaults(), false, -1);
        Http2Stream post =
                Objects.requireNonNull(client.request(Http2Peers.head("POST", "/p"), 6, false));
        client.send(post, text("abcdef"), 0, 6, true);
        Objects.requireNonNull(client.request(Http2Peers.get("/g").add("x", "y"), -1, true));
        client.ping();
        int length = client.output().size();
        byte[] input = client.output().exchange(new byte[0]);
        List<String> whole = replay(input, length, length);
        assertEquals(3, whole.size(), whole.toString());
        for (int cut = 0; cut < length; cut++) {
            assertEquals(whole, replay(input, length, cut), "cut at " + cut);
        }
    }

    private static List<String> replay(byte[] input, int length, int cut) {
        Http2Session server = new Http2Session(Role.SERVER, Http2Limits.defaults(), false, -1);
        List<String> trace = new ArrayList<>();
        int at = Http2Peers.receive(server, Arrays.copyOf(input, cut), 0, cut, trace);
        Http2Peers.receive(server, input, at, length, trace);
        // A frame that was cut gives its content in two pieces.
        List<String> joined = new ArrayList<>();
        for (String event : trace) {
            if (event.startsWith("DATA 1 ")
                    && !joined.isEmpty()
                    && joined.getLast().startsWith("DATA 1 ")) {
                joined.add(joined.removeLast() + event.substring("DATA 1 ".length()));
            } else {
                joined.add(event);
            }
        }
        return joined;
    }
}
