package io.margay.server.files;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Shows a folder that has no page of its own. Confined to one request.
public interface FolderPage {
    /// What lies in a folder.
    ///
    /// @param length of a file; -1 for a folder
    record Entry(String name, boolean isFolder, long length, long modifiedMillis) {}

    /// A text that a page has above or below the list.
    @SuppressWarnings("ArrayRecordComponent") // made for one page, compared by nobody
    record Inset(@Nullable String type, byte[] content) {}

    /// What else of the folder's host a page may have in it. Confined to one request.
    interface Insets {
        /// The file at a link in the folder; null where there is none, or it may not be sent.
        @Nullable Inset find(String link);
    }

    /// Whether an entry is shown; asked of each.
    boolean shows(String name, boolean isFolder);

    /// Whether what stands for a path may be part of the page.
    ///
    /// @param path canonical
    boolean opens(String path);

    /// `Content-Type`.
    String type();

    /// The page.
    ///
    /// @param entries those that are shown
    byte[] content(List<Entry> entries, Insets insets);
}
