package io.margay.protocol.quic.frame;

import io.margay.protocol.quic.QuicError;
import io.margay.protocol.quic.VarInt;
import io.margay.protocol.quic.WireReader;
import io.margay.protocol.quic.packet.PacketHeader;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What one side allows and says of itself during the handshake (RFC 9000 §7.4, §18, RFC 9287, RFC
/// 9368). Filled by its maker, or read from the peer; not changed afterwards.
public final class TransportParameters {
    private static final int ORIGINAL_ID = 0x00;
    private static final int RESET_TOKEN = 0x02;
    private static final int DISABLE_MIGRATION = 0x0c;
    private static final int PREFERRED_ADDRESS = 0x0d;
    private static final int INITIAL_SOURCE_ID = 0x0f;
    private static final int RETRY_SOURCE_ID = 0x10;
    private static final int VERSION_INFORMATION = 0x11;
    private static final int GREASE_BIT = 0x2ab2;

    /// Parameters that a peer may send, known or not.
    static final int COUNT_MAX = 64;

    /// Versions that a peer may say it has.
    static final int VERSIONS_MAX = 64;

    private static final String SECTION = "RFC 9000 §18.2";

    static final QuicError MALFORMED = error("the transport parameters are malformed");
    static final QuicError REPEATED = error("a transport parameter came twice");
    static final QuicError OUT_OF_RANGE = error("a transport parameter has a value it cannot have");
    static final QuicError NOT_OF_CLIENTS = error("a client sent a transport parameter of servers");

    private final Map<IntegerParameter, Long> integers = new EnumMap<>(IntegerParameter.class);
    private byte @Nullable [] originalId;
    private byte @Nullable [] initialSourceId;
    private byte @Nullable [] retrySourceId;
    private byte @Nullable [] resetToken;
    private boolean migrationDisabled;
    private boolean greasesBit;
    private int chosenVersion;
    private int[] versions = {};
    private @Nullable QuicError error;

    private static QuicError error(String text) {
        return QuicError.of(QuicError.TRANSPORT_PARAMETER_ERROR, SECTION, text);
    }

    // Values

    public long get(IntegerParameter parameter) {
        return integers.getOrDefault(parameter, parameter.usual());
    }

    /// @throws IllegalArgumentException when it cannot have that value
    public TransportParameters set(IntegerParameter parameter, long value) {
        if (!parameter.allows(value) || value > VarInt.MAX) {
            throw new IllegalArgumentException(parameter + " cannot be " + value);
        }
        integers.put(parameter, value);
        return this;
    }

    /// The destination connection id of the client's first Initial packet; of servers.
    public byte @Nullable [] originalId() {
        return originalId;
    }

    public TransportParameters originalId(byte[] id) {
        originalId = id;
        return this;
    }

    /// The source connection id of the sender's first Initial packet.
    public byte @Nullable [] initialSourceId() {
        return initialSourceId;
    }

    public TransportParameters initialSourceId(byte[] id) {
        initialSourceId = id;
        return this;
    }

    /// The source connection id of the Retry packet; of servers that sent one.
    public byte @Nullable [] retrySourceId() {
        return retrySourceId;
    }

    public TransportParameters retrySourceId(byte[] id) {
        retrySourceId = id;
        return this;
    }

    /// What a stateless reset for the id of the handshake ends with; of servers.
    public byte @Nullable [] resetToken() {
        return resetToken;
    }

    public TransportParameters resetToken(byte[] token) {
        resetToken = token;
        return this;
    }

    /// Whether the peer must not move to another address.
    public boolean isMigrationDisabled() {
        return migrationDisabled;
    }

    public TransportParameters disableMigration() {
        migrationDisabled = true;
        return this;
    }

    /// Whether the fixed bit of packets to the sender may be 0 (RFC 9287).
    public boolean greasesBit() {
        return greasesBit;
    }

    public TransportParameters greaseBit() {
        greasesBit = true;
        return this;
    }

    /// The version that the sender says it uses, or 0 when it says nothing (RFC 9368 §3).
    public int chosenVersion() {
        return chosenVersion;
    }

    /// The versions that the sender has.
    public int[] versions() {
        return versions.clone();
    }

    public TransportParameters versions(int chosen, int... available) {
        chosenVersion = chosen;
        versions = available.clone();
        return this;
    }

    // Reading

    /// Reads what a peer sent.
    ///
    /// @return what it says; [#error] tells whether it breaks the rules
    public static TransportParameters read(byte[] bytes, boolean fromClient) {
        TransportParameters read = new TransportParameters();
        read.error = read.readAll(bytes, fromClient);
        return read;
    }

    /// Why the connection is to end, or null.
    public @Nullable QuicError error() {
        return error;
    }

    private @Nullable QuicError readAll(byte[] bytes, boolean fromClient) {
        WireReader in = new WireReader().begin(bytes, 0, bytes.length);
        Set<Long> seen = new HashSet<>();
        while (in.left() > 0) {
            long id = in.varInt();
            byte[] value = in.take(in.varInt());
            if (in.failed() || seen.size() == COUNT_MAX) {
                return MALFORMED;
            }
            if (!seen.add(id)) {
                return REPEATED;
            }
            if (fromClient && isOfServers(id)) {
                return NOT_OF_CLIENTS;
            }
            IntegerParameter known = IntegerParameter.of(id);
            QuicError wrong = known == null ? octets(id, value) : integer(known, value);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private static boolean isOfServers(long id) {
        return id == ORIGINAL_ID
                || id == RESET_TOKEN
                || id == PREFERRED_ADDRESS
                || id == RETRY_SOURCE_ID;
    }

    private @Nullable QuicError integer(IntegerParameter parameter, byte[] value) {
        long number = VarInt.get(value, 0, value.length);
        if (number < 0 || VarInt.sizeFrom(value[0]) != value.length) {
            return MALFORMED;
        }
        integers.put(parameter, number);
        return parameter.allows(number) ? null : OUT_OF_RANGE;
    }

    private @Nullable QuicError octets(long id, byte[] value) {
        boolean isId = value.length <= PacketHeader.ID_BYTES_MAX;
        boolean right = true;
        switch ((int) Math.min(id, Integer.MAX_VALUE)) {
            case ORIGINAL_ID -> {
                right = isId;
                originalId = value;
            }
            case INITIAL_SOURCE_ID -> {
                right = isId;
                initialSourceId = value;
            }
            case RETRY_SOURCE_ID -> {
                right = isId;
                retrySourceId = value;
            }
            case RESET_TOKEN -> {
                right = value.length == FrameReader.RESET_TOKEN_BYTES;
                resetToken = value;
            }
            case DISABLE_MIGRATION -> {
                right = value.length == 0;
                migrationDisabled = true;
            }
            case GREASE_BIT -> {
                right = value.length == 0;
                greasesBit = true;
            }
            case PREFERRED_ADDRESS -> right = isPreferredAddress(value);
            case VERSION_INFORMATION -> right = readVersions(value);
            default -> {}
        }
        return right ? null : MALFORMED;
    }

    /// An address that clients may move to. It is checked and not used: the server's part of it is
    /// not wanted here.
    private static boolean isPreferredAddress(byte[] value) {
        int before = 4 + 2 + 16 + 2;
        if (value.length <= before) {
            return false;
        }
        int length = value[before];
        return length > 0
                && length <= PacketHeader.ID_BYTES_MAX
                && value.length == before + 1 + length + FrameReader.RESET_TOKEN_BYTES;
    }

    private boolean readVersions(byte[] value) {
        if (value.length < 4 || value.length % 4 != 0 || value.length > 4 * VERSIONS_MAX) {
            return false;
        }
        WireReader in = new WireReader().begin(value, 0, value.length);
        chosenVersion = (int) in.number(4);
        versions = new int[value.length / 4 - 1];
        for (int i = 0; i < versions.length; i++) {
            versions[i] = (int) in.number(4);
            if (versions[i] == 0) {
                return false;
            }
        }
        return chosenVersion != 0;
    }

    // Writing

    /// Writes them.
    ///
    /// @param greased any number: one parameter that nobody knows is made of it (RFC 9000 §18.1)
    public byte[] write(int greased) {
        Target out = new Target();
        for (IntegerParameter parameter : IntegerParameter.values()) {
            long value = get(parameter);
            if (value != parameter.usual()) {
                out.put(parameter.id());
                out.put(VarInt.size(value));
                out.put(value);
            }
        }
        out.put(ORIGINAL_ID, originalId);
        out.put(RESET_TOKEN, resetToken);
        out.put(INITIAL_SOURCE_ID, initialSourceId);
        out.put(RETRY_SOURCE_ID, retrySourceId);
        out.put(DISABLE_MIGRATION, migrationDisabled ? new byte[0] : null);
        out.put(GREASE_BIT, greasesBit ? new byte[0] : null);
        if (chosenVersion != 0) {
            out.put(VERSION_INFORMATION, versionsOnWire());
        }
        out.put(31L * (greased & 0xffff) + 27, new byte[greased & 7]);
        return out.octets();
    }

    private byte[] versionsOnWire() {
        byte[] octets = new byte[4 * (versions.length + 1)];
        for (int i = 0; i < octets.length; i++) {
            int number = i < 4 ? chosenVersion : versions[i / 4 - 1];
            octets[i] = (byte) (number >> (8 * (3 - i % 4)));
        }
        return octets;
    }

    private static final class Target {
        private byte[] bytes = new byte[256];
        private int at;

        void put(long value) {
            reserve(8);
            at = VarInt.put(bytes, at, value);
        }

        void put(long id, byte @Nullable [] value) {
            if (value != null) {
                put(id);
                put(value.length);
                reserve(value.length);
                System.arraycopy(value, 0, bytes, at, value.length);
                at += value.length;
            }
        }

        private void reserve(int count) {
            if (bytes.length - at < count) {
                bytes = Arrays.copyOf(bytes, 2 * bytes.length + count);
            }
        }

        byte[] octets() {
            return Arrays.copyOf(bytes, at);
        }
    }
}
