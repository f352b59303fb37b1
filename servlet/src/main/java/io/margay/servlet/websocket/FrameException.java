package io.margay.servlet.websocket;

import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import java.io.IOException;

/// A frame that ends the session, with what the peer is told.
final class FrameException extends IOException {
    private static final long serialVersionUID = 1;

    private final CloseCodes code;
    private final String text;

    private FrameException(CloseCodes code, String text) {
        super(text);
        this.code = code;
        this.text = text;
    }

    static FrameException violation(String text) {
        return new FrameException(CloseCodes.PROTOCOL_ERROR, text);
    }

    static FrameException tooLong(int bytesMax) {
        return new FrameException(
                CloseCodes.TOO_BIG, "a frame is longer than " + bytesMax + " bytes");
    }

    static FrameException noRoom() {
        return new FrameException(
                CloseCodes.TRY_AGAIN_LATER, "there is no memory for the message now");
    }

    CloseReason reason() {
        return new CloseReason(code, text);
    }
}
