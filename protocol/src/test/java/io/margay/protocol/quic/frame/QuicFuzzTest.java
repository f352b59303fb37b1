package io.margay.protocol.quic.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.packet.PacketHeader;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;

/// Fuzz targets for packets without their protection, their frames, and transport parameters. In a
/// normal build the inputs beside this class are replayed; with `JAZZER_FUZZ=1` the fuzzer looks
/// for new ones.
@Tag("slow")
class QuicFuzzTest {
    /// A payload is judged by its octets alone, wherever it stands, and is left as it was.
    @FuzzTest
    void payload_anyBytes_isJudgedTheSameAnywhere(byte[] input) {
        byte[] moved = new byte[input.length + 7];
        System.arraycopy(input, 0, moved, 3, input.length);
        for (Level level : Level.values()) {
            for (boolean fromClient : new boolean[] {true, false}) {
                TracedFrames here = new TracedFrames();
                TracedFrames there = new TracedFrames();
                byte[] bytes = input.clone();
                var error = new FrameReader(fromClient).read(level, bytes, 0, bytes.length, here);
                var other =
                        new FrameReader(fromClient).read(level, moved, 3, 3 + input.length, there);
                assertEquals(String.valueOf(error), String.valueOf(other));
                assertEquals(here.seen, there.seen);
                assertTrue(Arrays.equals(input, bytes));
            }
        }
    }

    @FuzzTest
    void datagram_anyBytes_hasPacketsWithinIt(byte[] input) {
        PacketHeader header = new PacketHeader();
        int at = 0;
        while (at < input.length) {
            header.read(input, at, input.length, 8, true);
            int end = header.end();
            assertTrue(end <= input.length, "a packet ends behind its datagram");
            assertTrue(header.numberAt() <= input.length);
            if (end <= at) {
                break;
            }
            at = end;
        }
    }

    @FuzzTest
    void parameters_thatAreRight_comeBack(byte[] input) {
        TransportParameters read = TransportParameters.read(input, true);
        if (read.error() != null) {
            return;
        }
        TransportParameters again = TransportParameters.read(read.write(0), true);
        assertNull(again.error());
        for (IntegerParameter each : IntegerParameter.values()) {
            assertEquals(read.get(each), again.get(each), each::name);
        }
        assertTrue(Arrays.equals(read.initialSourceId(), again.initialSourceId()));
        assertEquals(read.isMigrationDisabled(), again.isMigrationDisabled());
        assertEquals(read.chosenVersion(), again.chosenVersion());
    }
}
