package io.margay.servlet.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Trace;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameAssemblerTest {
    private static final int MAX = 70_000;

    /// Tells where one frame ends and the next begins, by reading the lengths itself.
    private static final class Frames implements CutEverywhere.Receiver {
        private final FrameAssembler assembler = new FrameAssembler(MAX);

        @Override
        public void receive(byte[] buffer, int from, int to, Trace trace) {
            try {
                byte[] piece = Arrays.copyOfRange(buffer, from, to);
                ByteBuffer whole = assembler.add(piece, piece.length);
                while (whole != null && whole.hasRemaining()) {
                    int opcode = whole.get();
                    int length = whole.get() & 0x7f;
                    if (length == 126) {
                        length = whole.getShort() & 0xffff;
                    } else if (length == 127) {
                        length = Math.toIntExact(whole.getLong());
                    }
                    whole.position(whole.position() + 4 + length);
                    trace.add("frame " + opcode + " of " + length);
                }
            } catch (FrameException e) {
                trace.add("refused " + e.reason());
            }
        }
    }

    private static void frame(ByteArrayOutputStream out, int opcode, int length) {
        out.write(0x80 | opcode);
        if (length < 126) {
            out.write(0x80 | length);
        } else if (length < 65_536) {
            out.write(0x80 | 126);
            out.write(length >> 8);
            out.write(length);
        } else {
            out.write(0x80 | 127);
            out.writeBytes(ByteBuffer.allocate(8).putLong(length).array());
        }
        out.writeBytes(new byte[] {1, 2, 3, 4});
        out.writeBytes(new byte[length]);
    }

    @Test
    void frames_areCutAtTheirEnds_howeverTheyCome() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int length : new int[] {0, 1, 125, 126, 300, 5}) {
            frame(out, 1, length);
        }
        assertEquals(
                List.of(
                        "frame -127 of 0",
                        "frame -127 of 1",
                        "frame -127 of 125",
                        "frame -127 of 126",
                        "frame -127 of 300",
                        "frame -127 of 5"),
                CutEverywhere.replay(out.toByteArray(), Frames::new));
    }

    @Test
    void longFrame_inPieces_comesWhole() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        frame(out, 2, MAX);
        frame(out, 1, 3);
        byte[] all = out.toByteArray();
        int[] ends = {1, 9, 1000, 1001, 40_000, all.length - 12, all.length};
        assertEquals(
                List.of("frame -126 of 70000", "frame -127 of 3"),
                CutEverywhere.run(new Frames(), all, ends));
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX + 1, Integer.MAX_VALUE, -1})
    void frame_thatIsTooLong_isRefusedByItsHead(int length) {
        byte[] head = new byte[10];
        ByteBuffer.wrap(head).put((byte) 0x82).put((byte) 0xff).putLong(length);
        FrameAssembler assembler = new FrameAssembler(MAX);
        FrameException e =
                assertThrows(FrameException.class, () -> assembler.add(head, head.length));
        int code = e.reason().getCloseCode().getCode();
        assertEquals(length < 0 ? 1002 : 1009, code);
    }

    @Test
    void frame_withoutMask_isRefused() {
        FrameAssembler assembler = new FrameAssembler(MAX);
        byte[] bare = {(byte) 0x81, 1, 'a'};
        FrameException e =
                assertThrows(FrameException.class, () -> assembler.add(bare, bare.length));
        assertEquals(1002, e.reason().getCloseCode().getCode());
    }

    @Test
    void whatIsBegun_isToldAndCounted() throws FrameException {
        FrameAssembler assembler = new FrameAssembler(MAX);
        byte[] ping = {(byte) 0x89, (byte) 0x80, 1, 2, 3, 4};
        byte[] first = {0x01, (byte) 0x83, 0, 0, 0, 0, 'a', 'b', 'c'};
        byte[] last = {(byte) 0x80, (byte) 0x81, 0, 0, 0, 0, 'd'};
        assembler.add(ping, ping.length);
        assertFalse(assembler.isOwed());
        assembler.add(first, 5);
        assertTrue(assembler.isOwed());
        assertEquals(5, assembler.frameBytes());
        assembler.add(Arrays.copyOfRange(first, 5, first.length), 4);
        assertTrue(assembler.isOwed(), "the message goes on");
        assertEquals(0, assembler.frameBytes());
        assembler.add(ping, ping.length);
        assertTrue(assembler.isOwed());
        assertTrue(assembler.heldBytes() >= 3);
        assembler.add(last, last.length);
        assertFalse(assembler.isOwed());
        assertEquals(0, assembler.heldBytes());
        assembler.add(first, first.length);
        assembler.drop();
        assertFalse(assembler.isOwed());
    }
}
