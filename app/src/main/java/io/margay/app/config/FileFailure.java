package io.margay.app.config;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Why a file cannot be used, where the exception's message is its name alone. Stateless.
public final class FileFailure {
    private FileFailure() {}

    /// The reason, in words.
    public static String text(Exception failure) {
        if (!(failure instanceof FileSystemException file)) {
            return String.valueOf(failure.getMessage());
        }
        String reason = file.getReason();
        String why =
                reason != null
                        ? reason
                        : switch (file) {
                            case AccessDeniedException _ -> "permission denied";
                            case NoSuchFileException _ ->
                                    "there is no such file, and none can be made there";
                            case FileAlreadyExistsException _ -> "is a file, not a folder";
                            default -> file.getClass().getSimpleName();
                        };
        return file.getFile() + ": " + why;
    }
}
