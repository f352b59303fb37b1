package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.protocol.http.Priority;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a client says of priorities, in fields and in frames (RFC 9218 §4, §7).
final class PriorityUpdateTest {
    private final Http2Peers peers = new Http2Peers(Http2Limits.defaults());

    @BeforeEach
    void agree() {
        peers.settle();
    }

    private void update(int frameStream, byte[] payload) {
        byte[] frame = Http2Peers.frame(Http2.PRIORITY_UPDATE, 0, frameStream, payload);
        Http2Peers.receive(peers.server, frame, 0, frame.length, peers.atServer);
    }

    private void update(int stream, String value) {
        Http2Buffer payload = new Http2Buffer();
        payload.putInt(stream);
        byte[] text = value.getBytes(StandardCharsets.ISO_8859_1);
        payload.put(text, 0, text.length);
        update(0, Arrays.copyOf(payload.array(), payload.size()));
    }

    private @Nullable Priority requested(String... field) {
        var head = Http2Peers.get("/");
        for (String value : field) {
            head.add("priority", value);
        }
        peers.client.request(head, -1, true);
        peers.settle();
        return peers.server.streams().getLast().priority();
    }

    @Test
    void field_ofARequest_isItsPriority() {
        assertNull(requested());
    }

    @Test
    void field_ofARequest_malformed_saysNothing() {
        assertEquals(Priority.DEFAULT, requested("u=1,,"));
    }

    @Test
    void field_ofARequest_inTwoLines_isOne() {
        assertEquals(new Priority(1, true), requested("u=1", "i"));
    }

    @Test
    void update_beforeTheRequest_countsInsteadOfItsField() {
        update(1, "u=0");
        update(1, "u=6, i");
        assertEquals(new Priority(6, true), requested("u=1"));
        assertEquals(List.of("HEAD 1 GET / 0 priority: u=1, host: a.example end"), peers.atServer);
    }

    @Test
    void update_ofAStream_isToldOnce() {
        requested("u=1, i");
        peers.atServer.clear();
        update(1, "u=5");
        assertEquals(List.of("PRIORITY 1"), peers.atServer);
        assertEquals(new Priority(5, false), peers.server.priority());
    }

    @Test
    void update_ofAStreamThatIsOver_isIgnored() {
        requested();
        peers.server.reset(peers.server.streams().getFirst(), Http2.CANCEL);
        peers.atServer.clear();
        update(1, "u=5");
        assertEquals(List.of(), peers.atServer);
    }

    @Test
    void updates_ofStreamsToCome_areBounded() {
        for (int i = 0; i <= EarlyPriorities.REMEMBERED; i++) {
            update(2 * i + 1, "u=7");
        }
        assertNull(requested(), "the oldest has been forgotten");
        assertEquals(List.of(), peers.atServer.stream().filter(e -> e.startsWith("F")).toList());
    }

    @Test
    void updates_withoutEnd_endTheConnection() {
        for (int i = 0; i < 2_000; i++) {
            update(1, "u=7");
        }
        assertEquals("FAILED " + Http2.ENHANCE_YOUR_CALM, peers.atServer.getFirst());
    }

    @Test
    void update_onAStream_isAnError() {
        update(1, new byte[] {0, 0, 0, 1});
        assertEquals(List.of("FAILED " + Http2.PROTOCOL_ERROR), peers.atServer);
    }

    @Test
    void update_tooShort_isAnError() {
        update(0, new byte[3]);
        assertEquals(List.of("FAILED " + Http2.FRAME_SIZE_ERROR), peers.atServer);
    }

    @Test
    void update_ofNoStream_orOneOfTheServers_isAnError() {
        update(0, "u=1");
        assertEquals(List.of("FAILED " + Http2.PROTOCOL_ERROR), peers.atServer);
        Http2Peers others = new Http2Peers(Http2Limits.defaults());
        others.settle();
        byte[] pushed = Http2Peers.frame(Http2.PRIORITY_UPDATE, 0, 0, new byte[] {0, 0, 0, 2});
        Http2Peers.receive(others.server, pushed, 0, pushed.length, others.atServer);
        assertEquals(List.of("FAILED " + Http2.PROTOCOL_ERROR), others.atServer);
    }

    @Test
    void update_byAServer_isAnError() {
        requested();
        peers.atClient.clear();
        byte[] frame = Http2Peers.frame(Http2.PRIORITY_UPDATE, 0, 0, new byte[] {0, 0, 0, 1});
        Http2Peers.receive(peers.client, frame, 0, frame.length, peers.atClient);
        assertEquals(List.of("FAILED " + Http2.PROTOCOL_ERROR), peers.atClient);
    }
}
