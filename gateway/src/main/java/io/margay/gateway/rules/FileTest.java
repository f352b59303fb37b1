package io.margay.gateway.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a condition can ask of a file in the place of an expression, written as mod_rewrite writes
/// it. Stateless; looks at the file system.
public enum FileTest {
    /// `-f`: it is a regular file.
    FILE,

    /// `-d`: it is a folder.
    FOLDER,

    /// `-s`: it is a regular file, and not empty.
    CONTENT,

    /// `-l`, `-L`, `-h`: it is a symbolic link.
    LINK,

    /// There is something of that name, which httpd's expressions alone ask (`-e`).
    THERE;

    /// How a condition says [#THERE]: no expression of mod_rewrite is written so.
    public static final String EXISTS = "-there";

    /// The test that a text stands for, or null.
    public static @Nullable FileTest of(String text) {
        return switch (text) {
            case "-f" -> FILE;
            case "-d" -> FOLDER;
            case "-s" -> CONTENT;
            case "-l", "-L", "-h" -> LINK;
            case EXISTS -> THERE;
            default -> null;
        };
    }

    /// Whether it holds of what a path stands for. It holds of nothing that is no whole path.
    public boolean holds(String text) {
        if (!text.startsWith("/") || (this != FOLDER && this != THERE && text.endsWith("/"))) {
            return false;
        }
        try {
            Path path = Path.of(text);
            return switch (this) {
                case FILE -> Files.isRegularFile(path);
                case FOLDER -> Files.isDirectory(path);
                case CONTENT -> Files.isRegularFile(path) && Files.size(path) > 0;
                case THERE -> Files.exists(path);
                case LINK -> Files.isSymbolicLink(path);
            };
        } catch (InvalidPathException | IOException e) {
            return false;
        }
    }
}
