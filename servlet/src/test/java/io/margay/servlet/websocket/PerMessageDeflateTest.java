package io.margay.servlet.websocket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import org.glassfish.tyrus.core.extension.ExtendedExtension.ExtensionContext;
import org.glassfish.tyrus.core.frame.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerMessageDeflateTest {
    private static final int MAX = 100_000;

    private final PerMessageDeflate extension = new PerMessageDeflate(() -> MAX);
    private final Map<String, Object> properties = new HashMap<>();
    private final ExtensionContext context = () -> properties;

    private static Frame frame(int opcode, boolean fin, boolean rsv1, byte[] content) {
        return Frame.builder()
                .opcode((byte) opcode)
                .fin(fin)
                .rsv1(rsv1)
                .payloadData(content)
                .payloadLength(content.length)
                .build();
    }

    private static byte[] content(Frame frame) {
        return Arrays.copyOf(frame.getPayloadData(), (int) frame.getPayloadLength());
    }

    /// A message as a sender compresses it that ends its last block with `flush`.
    private static byte[] packed(byte[] content, int flush) {
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(content);
        byte[] out = new byte[content.length + 100];
        int length = deflater.deflate(out, 0, out.length, flush);
        deflater.end();
        return Arrays.copyOf(out, length - 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 1000, 8192, 65_536, 100_000})
    void message_thatWasSent_isReceivedAsItWas(int length) {
        byte[] content = new byte[length];
        new Random(length)
                .ints(length / 2, 'a', 'f')
                .forEach(
                        new java.util.function.IntConsumer() {
                            private int at;

                            @Override
                            public void accept(int value) {
                                content[at++] = (byte) value;
                            }
                        });
        Frame sent = extension.processOutgoing(context, frame(1, true, false, content));
        assertTrue(sent.isRsv1());
        assertTrue(sent.getPayloadLength() < length);
        Frame received = extension.processIncoming(context, sent);
        assertFalse(received.isRsv1());
        assertArrayEquals(content, content(received));
        assertEquals(Map.of(), properties, "nothing is kept");
    }

    @Test
    void message_inFragments_isInflatedAsOne() {
        byte[] content =
                "0123456789".repeat(1000).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        byte[] packed = packed(content, Deflater.SYNC_FLUSH);
        byte[] first = Arrays.copyOf(packed, 10);
        byte[] rest = Arrays.copyOfRange(packed, 10, packed.length);
        byte[] one = content(extension.processIncoming(context, frame(2, false, true, first)));
        Frame ping = frame(9, true, false, new byte[] {1});
        assertEquals(ping, extension.processIncoming(context, ping));
        byte[] two = content(extension.processIncoming(context, frame(0, true, false, rest)));
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        assertArrayEquals(content, both);
        Frame plain = frame(0, true, false, new byte[] {1, 2});
        assertEquals(
                plain, extension.processIncoming(context, plain), "not compressed, not touched");
    }

    @Test
    void fragments_thatAreSent_stayAsTheyAre() {
        Frame first = frame(1, false, false, new byte[1000]);
        Frame last = frame(0, true, false, new byte[1000]);
        assertEquals(first, extension.processOutgoing(context, first));
        assertEquals(last, extension.processOutgoing(context, last));
    }

    @Test
    void bomb_isNotInflated() {
        byte[] bomb = packed(new byte[MAX + 1], Deflater.SYNC_FLUSH);
        assertTrue(bomb.length < 1000);
        Frame result = extension.processIncoming(context, frame(2, true, true, bomb));
        assertTrue(result.isRsv1(), "which nobody explains, and so ends the session");
        assertEquals(Map.of(), properties);
    }

    @Test
    void garbage_endsTheSession() {
        byte[] garbage = {(byte) 0xff, (byte) 0xff, 3, 4};
        assertTrue(extension.processIncoming(context, frame(1, true, true, garbage)).isRsv1());
        byte[] begun = Arrays.copyOf(packed(new byte[5000], Deflater.SYNC_FLUSH), 5);
        assertFalse(extension.processIncoming(context, frame(1, false, true, begun)).isRsv1());
        assertTrue(
                extension.processIncoming(context, frame(0, true, false, garbage)).isRsv1(),
                "in the middle of a message too");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "permessage-deflate",
                "permessage-deflate; client_max_window_bits",
                "permessage-deflate; client_max_window_bits=10; server_no_context_takeover",
                "permessage-deflate; server_max_window_bits=15",
                "permessage-deflate; server_max_window_bits=\"15\"",
                "something; else=1",
            })
    void offer_thatCanBeMet_isTaken(String offer) {
        assertTrue(PerMessageDeflate.canMeet(offer));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "permessage-deflate; server_max_window_bits=10",
                "permessage-deflate; server_max_window_bits",
                "permessage-deflate; client_max_window_bits=16",
                "permessage-deflate; client_max_window_bits=08",
                "permessage-deflate; client_no_context_takeover=1",
                "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
                "permessage-deflate; unknown",
                "permessage-deflate;",
            })
    void offer_thatCannotBeMet_isPassedOver(String offer) {
        assertFalse(PerMessageDeflate.canMeet(offer));
    }

    @Test
    void answer_keepsNoContext() {
        List<String> names =
                extension.onExtensionNegotiation(context, List.of()).stream()
                        .map(jakarta.websocket.Extension.Parameter::getName)
                        .toList();
        assertEquals(List.of("server_no_context_takeover", "client_no_context_takeover"), names);
    }
}
