package io.margay.servlet.websocket;

import jakarta.websocket.Extension;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.IntSupplier;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.glassfish.tyrus.core.extension.ExtendedExtension;
import org.glassfish.tyrus.core.frame.Frame;
import org.jspecify.annotations.Nullable;

/// The extension `permessage-deflate` (RFC 7692) without context from message to message, in both
/// directions, so that a session holds no window between two messages. Thread-safe: what belongs to
/// a session is in its context, of which one thread at a time receives and one at a time sends.
///
/// Messages that are sent in fragments, and small ones, stay as they are. A frame that inflates to
/// more than its bound, or to nothing, is given a reserved bit that no extension explains, which
/// ends the session.
final class PerMessageDeflate implements ExtendedExtension {
    static final String NAME = "permessage-deflate";

    private static final String SERVER_NO_CONTEXT = "server_no_context_takeover";
    private static final String CLIENT_NO_CONTEXT = "client_no_context_takeover";
    private static final String SERVER_BITS = "server_max_window_bits";
    private static final String CLIENT_BITS = "client_max_window_bits";

    /// The only window of the JDK's compressor.
    private static final String WINDOW_BITS = "15";

    /// Shorter messages do not gain, bytes.
    private static final int DEFLATE_MIN = 128;

    /// Compressors kept for the next message; each has 256 KiB outside of the heap.
    private static final int DEFLATERS_MAX = 8;

    /// What a sender leaves out at the end of a message (RFC 7692 §7.2.1).
    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

    private static final int OPCODE_CONTINUATION = 0;
    private static final String INFLATER = PerMessageDeflate.class.getName() + ".inflater";

    private final IntSupplier frameBytesMax;

    /// Compressors that are not in use.
    private final Queue<Deflater> deflaters = new ArrayBlockingQueue<>(DEFLATERS_MAX);

    /// @param frameBytesMax bytes that a frame may inflate to
    PerMessageDeflate(IntSupplier frameBytesMax) {
        this.frameBytesMax = frameBytesMax;
    }

    private record Setting(String getName, @Nullable String getValue)
            implements Extension.Parameter {}

    // Negotiation

    /// Whether an offer, as it stands in `Sec-WebSocket-Extensions`, is none of this extension or
    /// one that can be met (RFC 7692 §5.1).
    static boolean canMeet(String offer) {
        String[] parts = offer.split(";", -1);
        if (!parts[0].strip().equalsIgnoreCase(NAME)) {
            return true;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=", 2);
            String name = pair[0].strip().toLowerCase(Locale.ROOT);
            String value = pair.length < 2 ? null : unquoted(pair[1].strip());
            if (!seen.add(name) || !canMeet(name, value)) {
                return false;
            }
        }
        return true;
    }

    private static boolean canMeet(String name, @Nullable String value) {
        return switch (name) {
            case SERVER_NO_CONTEXT, CLIENT_NO_CONTEXT -> value == null;
            case SERVER_BITS -> WINDOW_BITS.equals(value);
            case CLIENT_BITS -> value == null || value.matches("[89]|1[0-5]");
            default -> false;
        };
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public List<Parameter> getParameters() {
        return List.of();
    }

    @Override
    public List<Parameter> onExtensionNegotiation(
            ExtensionContext context, @Nullable List<Parameter> requested) {
        List<Parameter> answer = new ArrayList<>();
        answer.add(new Setting(SERVER_NO_CONTEXT, null));
        answer.add(new Setting(CLIENT_NO_CONTEXT, null));
        if (requested != null
                && requested.stream().anyMatch(p -> SERVER_BITS.equalsIgnoreCase(p.getName()))) {
            answer.add(new Setting(SERVER_BITS, WINDOW_BITS));
        }
        return answer;
    }

    @Override
    public void onHandshakeResponse(ExtensionContext context, List<Parameter> response) {
        // Only clients have a response to look at.
    }

    // Frames

    @Override
    public Frame processIncoming(ExtensionContext context, Frame frame) {
        if (frame.isControlFrame()) {
            return frame;
        }
        Inflater inflater;
        if (frame.getOpcode() != OPCODE_CONTINUATION) {
            drop(context);
            if (!frame.isRsv1()) {
                return frame;
            }
            inflater = new Inflater(true);
            context.getProperties().put(INFLATER, inflater);
        } else {
            inflater = (Inflater) context.getProperties().get(INFLATER);
            if (inflater == null || frame.isRsv1()) {
                return frame;
            }
        }
        byte[] content = inflate(inflater, frame);
        if (frame.isFin() || content == null) {
            drop(context);
        }
        if (content == null) {
            return Frame.builder(frame).rsv1(true).build();
        }
        return Frame.builder(frame)
                .payloadData(content)
                .payloadLength(content.length)
                .rsv1(false)
                .build();
    }

    /// The content; null when it is broken or too long.
    private byte @Nullable [] inflate(Inflater inflater, Frame frame) {
        int length = (int) frame.getPayloadLength();
        ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(64, length * 3));
        try {
            inflater.setInput(frame.getPayloadData(), 0, length);
            boolean whole = inflateAll(inflater, out);
            if (whole && frame.isFin()) {
                inflater.setInput(TAIL);
                whole = inflateAll(inflater, out);
            }
            return whole ? out.toByteArray() : null;
        } catch (DataFormatException e) {
            return null;
        }
    }

    private boolean inflateAll(Inflater inflater, ByteArrayOutputStream out)
            throws DataFormatException {
        byte[] piece = new byte[8192];
        while (true) {
            int count = inflater.inflate(piece);
            if (out.size() + count > frameBytesMax.getAsInt()) {
                return false;
            }
            out.write(piece, 0, count);
            if (inflater.finished()) {
                // The sender has ended a block for good; what follows begins anew.
                int left = inflater.getRemaining();
                inflater.reset();
                return left == 0;
            }
            if (inflater.needsDictionary()) {
                return false;
            }
            if (count == 0) {
                return inflater.needsInput();
            }
        }
    }

    private static void drop(ExtensionContext context) {
        if (context.getProperties().remove(INFLATER) instanceof Inflater inflater) {
            inflater.end();
        }
    }

    @Override
    public Frame processOutgoing(ExtensionContext context, Frame frame) {
        if (frame.isControlFrame()
                || !frame.isFin()
                || frame.getOpcode() == OPCODE_CONTINUATION
                || frame.getPayloadLength() < DEFLATE_MIN) {
            return frame;
        }
        int length = (int) frame.getPayloadLength();
        byte[] packed = deflate(frame.getPayloadData(), length);
        if (packed.length >= length) {
            return frame;
        }
        return Frame.builder(frame)
                .payloadData(packed)
                .payloadLength(packed.length)
                .rsv1(true)
                .build();
    }

    private byte[] deflate(byte[] content, int length) {
        Deflater idle = deflaters.poll();
        Deflater deflater = idle == null ? new Deflater(Deflater.BEST_SPEED, true) : idle;
        try {
            deflater.setInput(content, 0, length);
            ByteArrayOutputStream out = new ByteArrayOutputStream(length / 2 + 64);
            byte[] piece = new byte[8192];
            int count;
            do {
                count = deflater.deflate(piece, 0, piece.length, Deflater.SYNC_FLUSH);
                out.write(piece, 0, count);
            } while (count == piece.length);
            byte[] all = out.toByteArray();
            return Arrays.copyOf(all, all.length - TAIL.length);
        } finally {
            deflater.reset();
            if (!deflaters.offer(deflater)) {
                deflater.end();
            }
        }
    }

    @Override
    public void destroy(ExtensionContext context) {
        drop(context);
    }
}
