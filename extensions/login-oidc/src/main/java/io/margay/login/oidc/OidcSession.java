package io.margay.login.oidc;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A login, as its cookie says it. Immutable.
///
/// @param id by which it is ended
/// @param user the user's name
/// @param subject by which the provider knows the user
/// @param providerSession by which the provider knows its own login; empty = by nothing
/// @param roles of the user
/// @param claims those that are asked for, by name
/// @param refreshToken by which it is asked; empty = it cannot be
/// @param idToken that the provider is shown when it ends; empty = none
@RecordBuilder
record OidcSession(
        String id,
        String user,
        String subject,
        String providerSession,
        List<String> roles,
        Map<String, List<String>> claims,
        Times times,
        String refreshToken,
        String idToken) {
    private static final int VERSION = 1;

    /// When things happened, or will, in milliseconds. Immutable.
    ///
    /// @param created when the user has logged in
    /// @param seen when it was used, not quite lately
    /// @param renew when the provider is to be asked whether it still holds; 0 = never
    record Times(long created, long seen, long renew) {}

    OidcSession {
        roles = List.copyOf(roles);
        claims = Map.copyOf(claims);
    }

    /// Without the tokens.
    @Override
    public String toString() {
        return "OidcSession[user=" + user + ", roles=" + roles + "]";
    }

    /// The same, used now.
    OidcSession seen(long nowMillis) {
        return OidcSessionBuilder.builder(this)
                .times(new Times(times.created, nowMillis, times.renew))
                .build();
    }

    /// The same without what the provider is shown at its end.
    OidcSession withoutIdToken() {
        return OidcSessionBuilder.builder(this).idToken("").build();
    }

    /// The octets of a cookie.
    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            text(out, id);
            text(out, user);
            text(out, subject);
            text(out, providerSession);
            texts(out, roles);
            out.writeShort(claims.size());
            for (Map.Entry<String, List<String>> claim : claims.entrySet()) {
                text(out, claim.getKey());
                texts(out, claim.getValue());
            }
            out.writeLong(times.created);
            out.writeLong(times.seen);
            out.writeLong(times.renew);
            text(out, refreshToken);
            text(out, idToken);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /// What a cookie says; null when another version has made it.
    static @Nullable OidcSession decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readByte() != VERSION) {
                return null;
            }
            String id = text(in);
            String user = text(in);
            String subject = text(in);
            String providerSession = text(in);
            List<String> roles = texts(in);
            Map<String, List<String>> claims = new LinkedHashMap<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                String name = text(in);
                claims.put(name, texts(in));
            }
            return new OidcSession(
                    id,
                    user,
                    subject,
                    providerSession,
                    roles,
                    claims,
                    new Times(in.readLong(), in.readLong(), in.readLong()),
                    text(in),
                    text(in));
        } catch (IOException _) {
            return null;
        }
    }

    private static void texts(DataOutputStream out, List<String> texts) throws IOException {
        out.writeShort(texts.size());
        for (String text : texts) {
            text(out, text);
        }
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            texts.add(text(in));
        }
        return texts;
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a text is cut");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
