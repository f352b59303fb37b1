package io.margay.servlet.session;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Who had logged in when a session was written: a claim, until the realm of the application's new
/// life has been asked whether there still is such a user. Immutable.
///
/// @param user by name
/// @param roles that the user had: more than these the session never gives
/// @param method by which the user had logged in
public record SavedLogin(String user, Set<String> roles, String method) implements SessionLogin {
    private static final int UTF_CHARS_MAX = 0xFFFF / 3;

    public SavedLogin {
        roles = Set.copyOf(roles);
    }

    @Override
    public SavedLogin saved() {
        return this;
    }

    /// Writes a login or, as one without a user, that there is none.
    static void write(@Nullable SavedLogin login, DataOutputStream out) throws IOException {
        boolean written = login != null && login.isWritable();
        out.writeBoolean(written);
        if (login != null && written) {
            out.writeUTF(login.user);
            out.writeUTF(login.method);
            out.writeInt(login.roles.size());
            for (String role : login.roles) {
                out.writeUTF(role);
            }
        }
    }

    /// Names longer than the format has room for are of nobody who will be missed.
    private boolean isWritable() {
        return user.length() <= UTF_CHARS_MAX
                && method.length() <= UTF_CHARS_MAX
                && roles.stream().allMatch(role -> role.length() <= UTF_CHARS_MAX);
    }

    static @Nullable SavedLogin read(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        String user = in.readUTF();
        String method = in.readUTF();
        Set<String> roles = new TreeSet<>();
        for (int left = in.readInt(); left > 0; left--) {
            roles.add(in.readUTF());
        }
        return new SavedLogin(user, roles, method);
    }
}
