package io.margay.transport.handover;

import java.io.IOException;

/// The other process has ended, or wants to hear no more.
public final class HandoverEndException extends IOException {
    private static final long serialVersionUID = 1;

    HandoverEndException() {
        super("the other process has gone");
    }
}
