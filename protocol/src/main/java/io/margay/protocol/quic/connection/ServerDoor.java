package io.margay.protocol.quic.connection;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.QuicVersion;
import io.margay.protocol.quic.crypto.KeyPair;
import io.margay.protocol.quic.crypto.PacketKey;
import io.margay.protocol.quic.frame.FrameWriter;
import io.margay.protocol.quic.packet.LongHeader;
import io.margay.protocol.quic.packet.PacketHeader;
import io.margay.protocol.quic.packet.PacketNumbers;
import io.margay.protocol.quic.packet.PacketType;
import io.margay.protocol.quic.packet.RetryPacket;
import io.margay.protocol.quic.recovery.PathMtu;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What a server does with a datagram whose connection it does not know (RFC 9000 §5.2.2, §6, §8).
/// It remembers nothing of it, and never answers with more than it got. Guarded by its owner.
public final class ServerDoor {
    /// What becomes of a datagram.
    public sealed interface Verdict permits Accepted, Answer, Dropped {}

    /// A connection is to begin.
    ///
    /// @param id the destination connection id of the packet
    /// @param sourceId the source connection id
    /// @param originalId the destination connection id of the client's very first packet
    /// @param retryId the source connection id of our Retry packet, or null when there was none
    /// @param validated whether the client receives at its address
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Accepted(
            InetSocketAddress client,
            QuicVersion version,
            byte[] id,
            byte[] sourceId,
            byte[] originalId,
            byte @Nullable [] retryId,
            boolean validated)
            implements Verdict {}

    /// A datagram is to be sent back.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Answer(byte[] datagram) implements Verdict {}

    /// Nothing is to be done.
    public record Dropped() implements Verdict {}

    private static final Dropped DROPPED = new Dropped();

    /// A client makes the first connection id that long, so that nobody guesses it (RFC 9000 §7.2).
    private static final int ID_BYTES_LEAST = 8;

    private static final QuicError INVALID_TOKEN =
            QuicError.of(
                    QuicError.INVALID_TOKEN,
                    "RFC 9000 §8.1.2",
                    "the token is not one of a Retry packet for this address and time");

    private final UsedTokens used = new UsedTokens();
    private final AddressTokens tokens;
    private final RandomGenerator chance;
    private final int idBytes;
    private final PacketHeader header = new PacketHeader();

    /// @param idBytes octets of the connection ids that this server issues
    public ServerDoor(AddressTokens tokens, RandomGenerator chance, int idBytes) {
        this.tokens = tokens;
        this.chance = chance;
        this.idBytes = idBytes;
    }

    /// Looks at a datagram.
    ///
    /// @param strict whether clients have to show that they receive at their address before
    ///   anything is remembered of them: many connections begin
    /// @param seconds the time, in seconds of any clock that all servers share
    public Verdict look(
            byte[] datagram,
            int from,
            int to,
            InetSocketAddress client,
            boolean strict,
            long seconds) {
        boolean full = to - from >= PathMtu.LEAST;
        PacketType type = header.read(datagram, from, to, idBytes, false);
        if (!full) {
            return DROPPED;
        }
        if (type == PacketType.UNKNOWN_VERSION) {
            byte octet = (byte) chance.nextInt();
            return new Answer(
                    LongHeader.versionNegotiation(
                            header.sourceId(), header.id(), octet, chance.nextInt()));
        }
        QuicVersion version = header.version();
        if (type != PacketType.INITIAL || version == null) {
            return DROPPED;
        }
        byte[] token = header.token();
        AddressTokens.Token known = token.length == 0 ? null : tokens.open(token, client, seconds);
        byte[] id = header.id();
        byte[] source = header.sourceId();
        if (known == null && AddressTokens.isOfRetry(token)) {
            return new Answer(invalidToken(version, source, id));
        }
        if (known != null && !known.retry() && !used.use(known)) {
            known = null;
        }
        if (known != null && known.retry()) {
            if (!Arrays.equals(id, known.source())) {
                return DROPPED;
            }
            return new Accepted(
                    client, version, id, source, known.original(), known.source(), true);
        }
        if (id.length < ID_BYTES_LEAST) {
            return DROPPED;
        }
        if (strict && known == null) {
            byte[] own = new byte[idBytes];
            chance.nextBytes(own);
            byte[] given = tokens.retry(client, id, own, seconds);
            return new Answer(RetryPacket.make(version, source, own, id, given));
        }
        return new Accepted(client, version, id, source, id, null, known != null);
    }

    /// A packet that ends an attempt whose token is no good: a client takes no second Retry packet,
    /// and would wait.
    private byte[] invalidToken(QuicVersion version, byte[] client, byte[] id) {
        byte[] own = new byte[idBytes];
        chance.nextBytes(own);
        byte[] packet = new byte[PathMtu.LEAST];
        int numberAt = LongHeader.put(packet, 0, version, PacketType.INITIAL, client, own);
        PacketNumbers.put(packet, numberAt, 0, 1);
        FrameWriter out = new FrameWriter();
        out.begin(packet, numberAt + 1, packet.length - PacketKey.TAG_BYTES);
        byte[] text = INVALID_TOKEN.text().getBytes(StandardCharsets.US_ASCII);
        boolean _ = out.close(INVALID_TOKEN.code(), INVALID_TOKEN.frameType(), text);
        LongHeader.setLength(packet, numberAt, out.at() - numberAt + PacketKey.TAG_BYTES);
        KeyPair keys = KeyPair.initial(version, id, true);
        return Arrays.copyOf(packet, keys.seal(packet, 0, numberAt, 1, out.at(), 0));
    }
}
