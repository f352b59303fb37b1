package io.margay.app.agreement;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The files that the configurations are about: each holds `file:` and its path. Stateless.
public final class Site {
    private static final List<String> FILES =
            List.of(
                    "www/index.html",
                    "www/a.txt",
                    "www/pub/index.html",
                    "www/pub/f.txt",
                    "www/pub/deep/g.txt",
                    "www/private/index.html",
                    "www/private/s.txt",
                    "www/private/deep/d.txt",
                    "www/private/deep/x.bak",
                    "www/.git/config",
                    "www/notes.bak",
                    "www/config.php",
                    "www/run.cgi",
                    "www/composer.json",
                    "www/Mixed/Case.txt",
                    "other/index.html",
                    "other/o.txt",
                    "other/private/q.txt",
                    "other/private/s.txt");

    /// The password of each is "secret".
    private static final String USERS =
            """
            # users
            ada:$apr1$wwgko7hg$cwxkbcbRC.lybDr58VGG80
            bob:$2y$05$zFtZ9TbDUPWOWub6xKYMdONcC8HMOFavyjH6KwBMBVYdV4s/bQTL6:a comment
            eve:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=
            ada:{SHA}AAAAAAAAAAAAAAAAAAAAAAAAAAA=
            """;

    private Site() {}

    /// Writes the files below a folder.
    public static void write(Path folder) throws IOException {
        for (String name : FILES) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "file:" + name + "\n");
        }
        Files.writeString(folder.resolve("users"), USERS);
        Files.writeString(folder.resolve("users2"), USERS.replace("ada", "zoe"));
        Files.writeString(folder.resolve("groups"), "Admins: ada\nothers: bob eve\n");
        Files.writeString(folder.resolve("groups2"), "# admins: ada\nadmins: bob\nstaff:\n");
        Files.createSymbolicLink(folder.resolve("www/link.txt"), Path.of("a.txt"));
        Files.createSymbolicLink(folder.resolve("www/linked"), Path.of("private"));
    }
}
