package io.margay.servlet.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What is written of a session beside its attributes. Immutable; nobody changes the array.
///
/// @param seed what attributes are signed for, the same for as long as the session lasts: 16 random
///   bytes
/// @param passingSeconds a shorter interval, until a user has logged in; 0 = none
/// @param login who has logged in; null = nobody
@SuppressWarnings("ArrayRecordComponent") // bytes on their way, never compared
record SessionHead(
        byte[] seed,
        long createdMillis,
        int maxInactiveSeconds,
        int passingSeconds,
        @Nullable SavedLogin login) {
    static final int SEED_BYTES = 16;
    private static final int FORM = 1;

    byte[] bytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            out.write(seed);
            out.writeLong(createdMillis);
            out.writeInt(maxInactiveSeconds);
            out.writeInt(passingSeconds);
            SavedLogin.write(login, out);
        }
        return bytes.toByteArray();
    }

    static SessionHead read(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readByte() != FORM) {
                throw new IOException("a session was written by another version of Margay");
            }
            byte[] seed = in.readNBytes(SEED_BYTES);
            return new SessionHead(
                    seed, in.readLong(), in.readInt(), in.readInt(), SavedLogin.read(in));
        }
    }
}
