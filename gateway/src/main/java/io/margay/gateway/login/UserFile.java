package io.margay.gateway.login;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Looks at files of users before anybody logs in. Stateless.
public final class UserFile {
    private UserFile() {}

    /// The names of users in a file of `htpasswd` who cannot log in, since their passwords are of
    /// no known form, or would take too long to verify; empty when the file cannot be read.
    public static List<String> unusable(Path file, LoginLimits limits) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > limits.fileBytesMax()) {
                return List.of();
            }
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            return UserLines.digests(text).isEmpty()
                    ? UserLines.users(text, limits).unusable()
                    : List.of();
        } catch (IOException _) {
            return List.of();
        }
    }

    /// What is said of users who cannot log in.
    public static String text(List<String> names) {
        return "who cannot log in, because their passwords have an unknown form or cost too much: "
                + String.join(", ", names);
    }
}
