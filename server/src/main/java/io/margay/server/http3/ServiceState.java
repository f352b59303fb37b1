package io.margay.server.http3;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/// What servers that go on with one port of UDP, one after the other, have in common, so that
/// tokens and connection ids of one mean something to the next; and which of them each is.
/// Immutable.
///
/// ```
/// format(1) generation(1) epoch(8) secret(32)
/// ```
///
/// @param generation counts the servers, 0 to 255
/// @param epochNanos when the first began, by the clock of the machine
/// @param secret from which all keys are derived
@SuppressWarnings("ArrayRecordComponent") // never compared
record ServiceState(int generation, long epochNanos, byte[] secret) {
    private static final byte FORMAT = 1;
    private static final int SECRET_BYTES = 32;
    private static final int BYTES = 10 + SECRET_BYTES;

    static ServiceState first(SecureRandom chance, long now) {
        byte[] secret = new byte[SECRET_BYTES];
        chance.nextBytes(secret);
        return new ServiceState(0, now, secret);
    }

    /// That of the server after the one that has told this.
    static ServiceState after(byte[] told) {
        if (told.length != BYTES || told[0] != FORMAT) {
            throw new IllegalStateException("the server before is of another version");
        }
        ByteBuffer in = ByteBuffer.wrap(told, 1, BYTES - 1);
        int generation = (in.get() + 1) & 0xff;
        long epoch = in.getLong();
        byte[] secret = new byte[SECRET_BYTES];
        in.get(secret);
        return new ServiceState(generation, epoch, secret);
    }

    byte[] octets() {
        return ByteBuffer.allocate(BYTES)
                .put(FORMAT)
                .put((byte) generation)
                .putLong(epochNanos)
                .put(secret)
                .array();
    }
}
