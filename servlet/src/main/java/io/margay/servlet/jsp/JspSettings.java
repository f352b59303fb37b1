package io.margay.servlet.jsp;

import java.time.Duration;

/// How pages are translated and run. Immutable.
///
/// @param development whether changed pages are noticed and translated anew; off in production,
///   where each look costs a system call
/// @param checkInterval with `development`: how long a page is taken for unchanged after a look
/// @param precompile whether all pages are translated before the application counts as started
public record JspSettings(boolean development, Duration checkInterval, boolean precompile) {
    public JspSettings {
        if (checkInterval.isNegative()) {
            throw new IllegalArgumentException("checkInterval must not be negative");
        }
    }

    /// Production: pages are translated when first asked for and never looked at again.
    public static JspSettings defaults() {
        return new JspSettings(false, Duration.ofSeconds(1), false);
    }
}
