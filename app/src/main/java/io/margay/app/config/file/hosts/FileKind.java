package io.margay.app.config.file.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// What a path leads to.
public enum FileKind {
    /// Nothing, or nothing that may be looked at.
    NONE,
    FILE,
    FOLDER,
    OTHER;

    static FileKind of(Path path) {
        try {
            BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
            return found.isRegularFile() ? FILE : found.isDirectory() ? FOLDER : OTHER;
        } catch (IOException e) {
            return NONE;
        }
    }
}
