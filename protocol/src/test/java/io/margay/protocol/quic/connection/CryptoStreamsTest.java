package io.margay.protocol.quic.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.protocol.quic.Level;
import io.margay.protocol.quic.tls.QuicTls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CryptoStreamsTest {
    private final List<Integer> given = new ArrayList<>();
    private final QuicTls tls =
            new QuicTls() {
                @Override
                public void start(byte[] parameters, Events events) {}

                @Override
                public void receive(Level level, byte[] octets, int from, int to) {
                    given.add(to - from);
                }

                @Override
                public void close() {}
            };

    /// A call of TLS costs more than a frame does, and may look at all that has come so far.
    @Test
    void framesOfOneOctet_areGivenToTlsTogether() {
        CryptoStreams crypto = new CryptoStreams();
        for (int i = 0; i < 200; i++) {
            assertNull(crypto.receive(Level.INITIAL, i, new byte[1], 0, 1));
        }
        assertEquals(List.of(), given);
        crypto.deliver(Level.INITIAL, tls);
        assertEquals(List.of(200), given);
        crypto.deliver(Level.INITIAL, tls);
        assertNull(crypto.receive(Level.INITIAL, 201, new byte[1], 0, 1));
        crypto.deliver(Level.INITIAL, tls);
        assertEquals(List.of(200), given, "what is behind a gap waits");
    }
}
