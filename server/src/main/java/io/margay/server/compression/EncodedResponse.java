package io.margay.server.compression;

import io.margay.protocol.http.FieldList;
import io.margay.server.compression.Encoder.Flush;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The content of a response on its way to the client: when the head is to be sent it is decided
/// whether it is encoded. Owned as its exchange is.
///
/// What the encoder puts is handed on at once where nobody may wait, so that the client's slowness
/// is seen by those who write, and in pieces of a buffer else: nothing is held here but one buffer
/// and what the encoder holds itself.
final class EncodedResponse {
    /// One piece of content for the connection.
    static final int BUFFER_BYTES = 16 * 1024;

    /// From here on what has been encoded is not kept for the sake of fewer pieces.
    private static final int PIECE_BYTES = 8 * 1024;

    private static final byte[] NOTHING = {};
    private static final long UNKNOWN = -1;
    private static final int LENGTH_DIGITS_MAX = 18;

    private enum State {
        UNDECIDED,
        PLAIN,
        /// Of HEAD: the head tells of a coding, and there is no content.
        HEAD,
        ENCODED,
        /// The whole of the content is known in the coding.
        KNOWN,
        /// An error was sent in its place: what is written is dropped.
        REFUSED
    }

    private final DialingExchange exchange;
    private final Recoding recoding;
    private State state = State.UNDECIDED;
    private @Nullable EncoderLease lease;

    /// What is sent, when all of it is known from before.
    private byte[] known = NOTHING;

    /// Where the whole of a constant content is kept when it has been encoded, and that content.
    private Recoding.@Nullable Recoded keeper;

    private byte[] constant = NOTHING;

    /// What `Content-Length` has promised before it was removed.
    private long promised = UNKNOWN;

    private long taken;

    /// Whether the encoder may have something that the client cannot decode yet.
    private boolean dirty;

    /// Whether the latest content came from a thread that waits.
    private boolean waited;

    /// A file that is being sent without waiting.
    private @Nullable FileContent file;

    private EncodedResponse(DialingExchange exchange, Recoding recoding) {
        this.exchange = exchange;
        this.recoding = recoding;
    }

    /// The exchange that a handler is to answer in place of the client's.
    static DialingExchange around(DialingExchange exchange, Recoding recoding) {
        return new EncodedExchange(exchange, new EncodedResponse(exchange, recoding));
    }

    boolean isBegun() {
        return state != State.UNDECIDED;
    }

    /// Nothing is encoded: content is that of another protocol.
    void upgraded() {
        state = State.PLAIN;
    }

    /// Decides for a content of unknown length.
    private void begin() {
        begin(UNKNOWN, null);
    }

    /// Decides.
    ///
    /// @param given length of the content, all of which follows at once; or negative
    /// @param whole all of a content that nobody changes any more, or null
    private void begin(long given, byte @Nullable [] whole) {
        if (state != State.UNDECIDED) {
            return;
        }
        state = State.PLAIN;
        FieldList fields = exchange.fields();
        String declared = fields.get("Content-Length");
        boolean head = exchange.request().isHead();
        long length = declared != null ? length(declared) : head ? UNKNOWN : given;
        Recoding.Recoded recoded = recoding.choose(length);
        if (recoded == null) {
            return;
        }
        byte[] found = whole == null || length != whole.length ? null : recoded.known(whole);
        if (head) {
            state = State.HEAD;
        } else if (found != null) {
            state = State.KNOWN;
            known = found;
        } else {
            lease = recoded.lease(given);
            if (lease == null) {
                return;
            }
            exchange.onEnd(lease::over);
            promised = declared == null ? UNKNOWN : length;
            state = State.ENCODED;
            if (whole != null) {
                keeper = recoded;
                constant = whole;
            }
        }
        recoded.describe(fields);
    }

    private static long length(String declared) {
        boolean isNumber = !declared.isEmpty() && declared.length() <= LENGTH_DIGITS_MAX;
        for (int i = 0; i < declared.length() && isNumber; i++) {
            isNumber = declared.charAt(i) >= '0' && declared.charAt(i) <= '9';
        }
        return isNumber ? Long.parseLong(declared) : UNKNOWN;
    }

    // Content

    void write(byte[] source, int offset, int length) throws IOException {
        begin();
        if (state == State.PLAIN) {
            exchange.write(source, offset, length);
        } else if (state == State.ENCODED) {
            put(source, offset, length, Flush.NONE, true);
        }
    }

    void offer(byte[] source, int offset, int length) throws IOException {
        begin();
        if (state == State.PLAIN) {
            exchange.offer(source, offset, length);
        } else if (state == State.ENCODED) {
            put(source, offset, length, Flush.NONE, false);
        }
    }

    void flush() throws IOException {
        begin();
        if (dirty) {
            push();
        } else if (state != State.REFUSED && (state != State.ENCODED || !exchange.committed())) {
            exchange.flush();
        }
    }

    /// Has the client get all that was written.
    void push() throws IOException {
        if (dirty && file == null && state != State.REFUSED) {
            put(NOTHING, 0, 0, Flush.CONTENT, waited);
            dirty = false;
        }
    }

    /// Encodes, and hands on what it comes to.
    private void put(byte[] source, int offset, int length, Flush flush, boolean wait)
            throws IOException {
        EncoderLease encoder = entered();
        try {
            count(length);
            encoder.input(source, offset, length);
            while (encoder.fill(flush)) {
                makeRoom(encoder, wait);
            }
            if (flush == Flush.CONTENT || encoder.used() >= PIECE_BYTES) {
                send(encoder, wait);
            }
            dirty = true;
            waited = wait;
        } catch (UndecidedException e) {
            refuse();
        } finally {
            encoder.exit();
        }
    }

    /// What the encoder cannot bring to an end is not sent as it is: the client gets 500, or what
    /// is there of the response without an end.
    private void refuse() throws IOException {
        state = State.REFUSED;
        dirty = false;
        if (exchange.committed()) {
            exchange.abort();
            throw new IOException("the content could not be changed");
        }
        exchange.fields().clear();
        StatusResponse.plain(exchange, 500);
    }

    private EncoderLease entered() throws IOException {
        EncoderLease encoder = lease;
        if (encoder == null || !encoder.enter()) {
            throw new IOException("the exchange is over", exchange.failure());
        }
        return encoder;
    }

    private void count(long length) {
        taken += length;
        if (promised >= 0 && taken > promised) {
            exchange.abort();
            throw new IllegalStateException("more content than Content-Length says");
        }
    }

    private void makeRoom(EncoderLease encoder, boolean wait) throws IOException {
        if (wait) {
            send(encoder, true);
        } else {
            encoder.grow();
        }
    }

    private void send(EncoderLease encoder, boolean wait) throws IOException {
        int length = encoder.used();
        encoder.clear();
        if (length == 0) {
            return;
        }
        if (wait) {
            exchange.write(encoder.bytes(), 0, length);
        } else {
            exchange.offer(encoder.bytes(), 0, length);
            encoder.shrink();
        }
    }

    // The end

    /// @param isConstant whether nobody changes the bytes any more
    void end(byte[] source, int offset, int length, boolean isConstant) throws IOException {
        boolean whole = isConstant && offset == 0 && length == source.length;
        begin(length, whole ? source : null);
        FileContent sending = file;
        if (sending != null) {
            sending.endsWith(Arrays.copyOfRange(source, offset, offset + length));
        } else if (state == State.ENCODED) {
            finish(source, offset, length);
        } else if (state == State.KNOWN) {
            exchange.endConstant(known, 0, known.length);
        } else if (state == State.HEAD) {
            exchange.end();
        } else if (state == State.REFUSED) {
            dirty = false;
        } else if (isConstant) {
            exchange.endConstant(source, offset, length);
        } else {
            exchange.end(source, offset, length);
        }
    }

    private void finish(byte[] source, int offset, int length) throws IOException {
        EncoderLease encoder = entered();
        try {
            count(length);
            if (promised >= 0 && taken < promised) {
                exchange.abort();
                throw new IOException("the response is shorter than its Content-Length");
            }
            encoder.input(source, offset, length);
            while (encoder.fill(Flush.END)) {
                encoder.grow();
            }
            Recoding.Recoded keeping = keeper;
            if (keeping == null) {
                exchange.end(encoder.bytes(), 0, encoder.used());
            } else {
                byte[] encoded = Arrays.copyOf(encoder.bytes(), encoder.used());
                keeping.keep(constant, encoded);
                exchange.endConstant(encoded, 0, encoded.length);
            }
            encoder.over();
        } catch (UndecidedException e) {
            refuse();
        } finally {
            encoder.exit();
        }
    }

    // Files

    boolean isWritable() {
        return file == null && (state == State.REFUSED || exchange.writable());
    }

    void onWritable(Runnable task) {
        FileContent sending = file;
        if (state == State.REFUSED) {
            exchange.execute(task);
        } else if (sending == null) {
            exchange.onWritable(task);
        } else {
            sending.then = task;
        }
    }

    void sendFile(FileChannel channel, long position, long count) throws IOException {
        begin();
        if (state == State.PLAIN) {
            exchange.sendFile(channel, position, count);
            return;
        }
        if (state == State.HEAD || state == State.REFUSED) {
            channel.close();
            return;
        }
        FileContent content = new FileContent(channel, position, count);
        if (exchange.carrier().waits() || !exchange.carrier().dialer().inLoop()) {
            try (channel) {
                while (content.isLeft() && state != State.REFUSED) {
                    content.step(true);
                }
            }
        } else {
            exchange.onEnd(content::close);
            file = content;
            content.run();
        }
    }

    void endFile(FileChannel channel, long position, long count) throws IOException {
        begin();
        if (state == State.PLAIN) {
            exchange.endFile(channel, position, count);
        } else {
            sendFile(channel, position, count);
            end(NOTHING, 0, 0, false);
        }
    }

    /// A part of a file that is encoded piece by piece; on the loop, one piece at a time, so that
    /// its other connections have their share.
    private final class FileContent implements Runnable {
        /// Takes a loop about a quarter of a millisecond.
        private static final int STEP_BYTES = 16 * 1024;

        private final FileChannel channel;
        private final ByteBuffer piece = ByteBuffer.allocate(STEP_BYTES);
        private long position;
        private long left;

        /// What the response ends with, when that has been said.
        private byte @Nullable [] tail;

        /// Who waits for the file to have gone.
        private @Nullable Runnable then;

        FileContent(FileChannel channel, long position, long left) {
            this.channel = channel;
            this.position = position;
            this.left = left;
        }

        boolean isLeft() {
            return left > 0;
        }

        void endsWith(byte[] bytes) {
            tail = bytes;
        }

        void step(boolean wait) throws IOException {
            piece.clear().limit((int) Math.min(left, STEP_BYTES));
            int count = channel.read(piece, position);
            if (count < 0) {
                throw new IOException("the file has become shorter");
            }
            position += count;
            left -= count;
            put(piece.array(), 0, count, Flush.NONE, wait);
        }

        @Override
        public void run() {
            try {
                if (state != State.REFUSED && !exchange.writable()) {
                    exchange.onWritable(this);
                    return;
                }
                if (state == State.REFUSED) {
                    file = null;
                    close();
                } else if (isLeft()) {
                    step(false);
                    exchange.execute(this);
                } else {
                    sent();
                }
            } catch (IOException e) {
                exchange.abort();
            }
        }

        private void sent() throws IOException {
            file = null;
            close();
            byte[] bytes = tail;
            Runnable next = then;
            if (bytes != null) {
                finish(bytes, 0, bytes.length);
            } else if (next != null) {
                exchange.onWritable(next);
            }
        }

        void close() {
            try {
                channel.close();
            } catch (IOException e) {
                System.getLogger(EncodedResponse.class.getName())
                        .log(System.Logger.Level.DEBUG, "closing a file failed", e);
            }
        }
    }
}
