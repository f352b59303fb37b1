package io.margay.servlet.session.engine;

import java.io.IOException;

/// A [SessionEngine] answers, and has no room for what is written: its memory or its disk is full.
public final class EngineFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public EngineFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
