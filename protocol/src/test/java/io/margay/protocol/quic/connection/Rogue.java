package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.crypto.CipherSuite;
import io.margay.protocol.quic.crypto.KeyPhases;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.packet.LongHeader;
import io.margay.protocol.quic.packet.PacketNumbers;
import io.margay.protocol.quic.tls.ScriptedTls;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;

/// A client that has finished the handshake and then sends what it likes.
final class Rogue {
    final Simulation sim = new Simulation(SimulatedNetwork.IDEAL, 3);
    final KeyPhases keys;
    long number = 1_000;

    Rogue() {
        this(ConnectionOptions.defaults());
    }

    /// @param options of the client that makes the handshake
    Rogue(ConnectionOptions options) {
        sim.client = sim.newClient(options, new byte[0]);
        sim.handshake();
        sim.run(() -> false, 1);
        keys =
                new KeyPhases(
                        QuicVersion.V1,
                        CipherSuite.AES_128_GCM_SHA256,
                        ScriptedTls.secret("server ONE_RTT", 0x1301),
                        ScriptedTls.secret("client ONE_RTT", 0x1301));
    }

    byte[] packet(Consumer<FrameWriter> frames) {
        byte[] id = HexFormat.of().parseHex(sim.serverIds.inUse.getFirst());
        byte[] bytes = new byte[1_400];
        int at = LongHeader.putShort(bytes, 0, id, false, false);
        PacketNumbers.put(bytes, at, number, 4);
        FrameWriter out = new FrameWriter();
        out.begin(bytes, at + 4, 1_380);
        frames.accept(out);
        out.padding(Math.max(0, 20 - (out.at() - at)));
        int end = keys.seal(bytes, 0, at, 4, out.at(), number++);
        return Arrays.copyOf(bytes, end);
    }

    void send(InetSocketAddress from, Consumer<FrameWriter> frames) {
        byte[] bytes = packet(frames);
        sim.server.receive(bytes, 0, bytes.length, from, 0, sim.now);
    }

    void send(Consumer<FrameWriter> frames) {
        send(sim.clientAddress, frames);
    }

    /// What the server sends now: datagrams, and octets to other addresses than the client's.
    int[] answers() {
        byte[] buffer = new byte[1_500];
        int[] sum = new int[2];
        for (int n = sim.server.send(buffer, sim.now);
                n > 0;
                n = sim.server.send(buffer, sim.now)) {
            sum[0]++;
            sum[1] += sim.server.target().equals(sim.clientAddress) ? 0 : n;
        }
        return sum;
    }

    QuicError error() {
        return sim.server.error();
    }
}
