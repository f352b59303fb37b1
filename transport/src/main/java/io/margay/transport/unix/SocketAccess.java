package io.margay.transport.unix;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who may connect to a Unix socket: those who may write to its file. Immutable.
///
/// @param owner name of the file's user; null = who runs the server
/// @param group name of the file's group; null = that of who runs the server
public record SocketAccess(
        Set<PosixFilePermission> permissions, @Nullable String owner, @Nullable String group) {
    public SocketAccess {
        permissions = Set.copyOf(permissions);
    }

    /// Its user and its group: `rw-rw----`.
    public static SocketAccess defaults() {
        return new SocketAccess(permissions("rw-rw----"), null, null);
    }

    /// Reads `rw-rw----`, `660` or `0660`.
    ///
    /// @throws IllegalArgumentException when it is none of these
    public static Set<PosixFilePermission> permissions(String text) {
        if (!text.matches("0?[0-7]{3}")) {
            return PosixFilePermissions.fromString(text);
        }
        int mode = Integer.parseInt(text, 8);
        StringBuilder letters = new StringBuilder();
        for (int bit = 8; bit >= 0; bit--) {
            letters.append((mode >> bit & 1) == 0 ? '-' : "xwr".charAt(bit % 3));
        }
        return PosixFilePermissions.fromString(letters.toString());
    }
}
