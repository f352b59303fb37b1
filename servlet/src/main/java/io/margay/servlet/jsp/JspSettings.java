package io.margay.servlet.jsp;

import java.time.Duration;

/// How pages are translated and run. Immutable.
///
/// @param development whether changed pages are noticed and translated anew, wherever the
///   application is, and what is generated of them is kept and shown
/// @param watchFolders whether changed pages of applications that are folders are noticed; those of
///   a WAR change with the WAR
/// @param checkInterval how long a page is taken for unchanged after a look at its file
/// @param precompile whether all pages are translated before the application counts as started
public record JspSettings(
        boolean development, boolean watchFolders, Duration checkInterval, boolean precompile) {
    public JspSettings {
        if (checkInterval.isNegative()) {
            throw new IllegalArgumentException("checkInterval must not be negative");
        }
    }

    /// Pages are translated when first asked for, and looked at again only in folders.
    public static JspSettings defaults() {
        return new JspSettings(false, true, Duration.ofSeconds(1), false);
    }

    /// Whether the pages of an application are looked at again.
    ///
    /// @param folder whether it is a folder, and not a WAR
    boolean watches(boolean folder) {
        return development || (watchFolders && folder);
    }
}
