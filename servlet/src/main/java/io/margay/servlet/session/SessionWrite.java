package io.margay.servlet.session;

/// When a session that lives outside the process is written.
public enum SessionWrite {
    /// Before the response ends: what the client asks next, of any server, sees it.
    BEFORE,

    /// When the response has been sent, which is sooner there by the time of the write.
    AFTER,

    /// Some time later, several changes in one.
    LAZILY
}
