package io.margay.protocol.http3;

import io.margay.protocol.fields.FieldRules;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.EarlyPriorities;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http2.OverheadBudget;
import io.margay.protocol.quic.VarInt;
import io.margay.protocol.quic.stream.QuicStream;
import io.margay.protocol.quic.stream.Streams;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// HTTP/3 on the streams of one QUIC connection as a state machine (RFC 9114, RFC 9204, RFC 9218):
/// [#process] looks at what has come and tells [Events]; what is to be sent is written to the
/// streams. Heads, content and trailers are held to the same limits as HTTP/2's.
///
/// Not thread-safe: it is guarded by the lock that guards the QUIC connection.
public final class Http3Session {
    /// Takes what has come. Arrays are valid during the call only.
    public interface Events {
        /// A request has begun.
        ///
        /// @param refusal why it is to be answered without being handled, or null
        void head(Http3Stream stream, RequestHead head, @Nullable ProtocolError refusal);

        /// A head of a response, interim or final.
        void response(Http3Stream stream, ResponseHead head);

        /// Content has come, or the end of it: [Http3Stream#isInputEnded].
        void data(Http3Stream stream, byte[] bytes, int from, int to);

        /// Trailers have come, which end the content.
        void trailers(Http3Stream stream, Fields trailers);

        /// A stream has ended before its time.
        ///
        /// @param why null when the peer did it
        void reset(Http3Stream stream, @Nullable ProtocolError why);

        /// There may be room to send.
        void room(Http3Stream stream);

        /// The peer wants a response sooner or later than it has said.
        void priority(Http3Stream stream, Priority priority);

        /// The peer is about to end the connection.
        ///
        /// @param id requests from this one on were not looked at, and never will be
        void goAway(long id);
    }

    /// A stream of one direction that the peer has opened.
    private static final class Incoming {
        private final byte[] number = new byte[8];
        private int numberBytes;
        private long type = -1;
    }

    private static final int CONTROL = 0x00;
    private static final int PUSH = 0x01;
    private static final int ENCODER = 0x02;
    private static final int DECODER = 0x03;

    /// Octets of our QPACK streams that the peer leaves unsent, beyond which it is left alone.
    private static final int INSTRUCTIONS_MAX = 65_536;

    /// Instructions for QPACK's table that cost nothing after each request: as many as fill it.
    private static final int TABLE_INSTRUCTIONS = 128;

    /// Sections that may wait for the peer's encoder stream.
    private static final int BLOCKED_MAX = 16;

    /// A number that no request has, which says that more are taken until it is said otherwise.
    private static final long ALL = VarInt.MAX - 3;

    final boolean server;
    final Http2Limits limits;
    final Streams streams;
    final Events events;
    final QpackDecoder decoder;
    final Http3Writer writer = new Http3Writer(this);
    final OverheadBudget budget;
    final EarlyPriorities early = new EarlyPriorities();

    private final Http3Receiver receiver;
    private final Http3FrameReader controlReader;
    private final Control control = new Control();
    private final ArrayDeque<QuicStream> resumed = new ArrayDeque<>();
    private final Map<Long, Http3Stream> requests = new HashMap<>();
    private final @Nullable QuicStream[] ours = new @Nullable QuicStream[4];
    private final boolean[] peers = new boolean[4];
    private @Nullable Http3Error failure;

    /// The number of the last request of the client, and from which on they are not taken.
    private long last = -1;

    private long refusedFrom = Long.MAX_VALUE;

    /// @param bodyBytesMax content that a message may have, or -1 for any
    public Http3Session(
            boolean server,
            Http2Limits limits,
            Streams streams,
            Events events,
            long bodyBytesMax,
            RequestTarget.Characters characters) {
        this.server = server;
        this.limits = limits;
        this.streams = streams;
        this.events = events;
        decoder = new QpackDecoder(limits.headerTableBytes(), BLOCKED_MAX);
        budget = new OverheadBudget(limits.overheadMax(), limits.overheadPerSecond());
        receiver = new Http3Receiver(this, bodyBytesMax, characters);
        controlReader = new Http3FrameReader(true, server, 0);
    }

    /// Opens our streams: the handshake is over.
    ///
    /// @param greased any number, of which a setting is made that nobody knows
    public @Nullable Http3Error begin(int greased) {
        if (streams.openable(false) < 3) {
            return fail(Http3Error.NO_STREAMS);
        }
        for (int type : new int[] {CONTROL, ENCODER, DECODER}) {
            QuicStream made = streams.open(false);
            if (made != null) {
                ours[type] = made;
                made.writeWhole(new byte[] {(byte) type}, 0, 1, false);
            }
        }
        byte[] settings =
                new Http3Settings(
                                limits.headerTableBytes(),
                                BLOCKED_MAX,
                                limits.headBytesMax(),
                                server)
                        .frame(greased);
        writeOn(CONTROL, settings);
        return null;
    }

    private void writeOn(int type, byte[] octets) {
        QuicStream to = ours[type];
        if (to == null || to.isEnded()) {
            return;
        }
        if (to.unsent() > INSTRUCTIONS_MAX) {
            fail(Http3Error.OUTPUT_NOT_TAKEN);
            return;
        }
        to.writeWhole(octets, 0, octets.length, false);
    }

    // What the caller asks for

    /// Why the connection is to end, or null.
    public @Nullable Http3Error failure() {
        return failure;
    }

    /// Requests that were not released.
    public int requests() {
        return requests.size();
    }

    /// Octets that wait to be sent.
    public int output() {
        return (int) Math.min(Integer.MAX_VALUE, streams.unsent());
    }

    /// Octets of memory that the peer makes it hold: heads that have not come whole, what waits for
    /// QPACK's table, and that. Streams count theirs.
    public long bytes() {
        long sum = decoder.bytes() + controlReader.bytes();
        for (Http3Stream stream : requests.values()) {
            sum += stream.bytes();
        }
        return sum;
    }

    /// Time has passed, which forgives overhead.
    public void seconds(int count) {
        budget.seconds(count);
    }

    /// Ends the streams whose head is late: it has not come whole, or waits for what QPACK's table
    /// is to have. To be called now and then.
    ///
    /// @param now nanoseconds of any clock that only goes forward
    /// @param patience nanoseconds from the first call on that finds the stream
    public void late(long now, long patience) {
        List<Http3Stream> late = new ArrayList<>();
        for (Http3Stream stream : requests.values()) {
            if (stream.told || stream.closed) {
                continue;
            }
            if (stream.begunNanos == Http3Stream.UNKNOWN) {
                stream.begunNanos = now;
            } else if (now - stream.begunNanos > patience) {
                late.add(stream);
            }
        }
        late.forEach(receiver::late);
    }

    // Receiving

    /// Looks at all that has happened on the streams since the last time.
    ///
    /// @param piece room that octets are read into
    /// @return why the connection is to end, or null
    public @Nullable Http3Error process(byte[] piece) {
        while (failure == null) {
            QuicStream stream = resumed.poll();
            stream = stream == null ? streams.next() : stream;
            if (stream == null) {
                break;
            }
            look(stream, piece);
        }
        putInstructions();
        byte[] told = decoder.output().take();
        if (told.length > 0) {
            writeOn(DECODER, told);
        }
        return failure;
    }

    private void look(QuicStream stream, byte[] piece) {
        if (stream.owner() instanceof Http3Stream request) {
            receiver.look(request, piece);
        } else if (!stream.isBidirectional()) {
            lookOneWay(stream, piece);
        } else if (!server) {
            fail(Http3Error.STREAM_FORBIDDEN);
        } else {
            receiver.look(begun(stream), piece);
        }
    }

    private Http3Stream begun(QuicStream stream) {
        last = Math.max(last, stream.id());
        return made(stream);
    }

    private Http3Stream made(QuicStream stream) {
        Http3Stream made =
                new Http3Stream(
                        this,
                        stream,
                        new Http3FrameReader(false, server, limits.headerBlockBytesMax()));
        stream.owner(made);
        requests.put(stream.id(), made);
        return made;
    }

    /// Whether a request is not taken because the connection is about to end.
    boolean isRefused(Http3Stream of) {
        return of.number() >= refusedFrom;
    }

    /// Ends the connection.
    Http3Error fail(Http3Error error) {
        failure = failure == null ? error : failure;
        return error;
    }

    // Streams of one direction

    private void lookOneWay(QuicStream stream, byte[] piece) {
        if (!stream.isPeers()) {
            if (stream.stopCode() != QuicStream.NONE && Arrays.asList(ours).contains(stream)) {
                fail(Http3Error.CRITICAL_CLOSED);
            }
            return;
        }
        Incoming in = stream.owner() instanceof Incoming known ? known : new Incoming();
        stream.owner(in);
        if (in.type > DECODER) {
            return; // it was stopped, and its reset has come
        }
        int count = stream.read(piece, 0, piece.length);
        while (count > 0 && failure == null) {
            int at = 0;
            while (in.type < 0 && at < count) {
                in.number[in.numberBytes++] = piece[at++];
                if (in.numberBytes == VarInt.sizeFrom(in.number[0])) {
                    in.type = VarInt.get(in.number, 0, in.numberBytes);
                    opened(in.type);
                }
            }
            if (in.type > DECODER) {
                stream.stop(Http3Error.STREAM_CREATION_ERROR);
                useless(stream);
                return;
            }
            if (in.type >= 0 && failure == null) {
                receive((int) in.type, piece, at, count);
            }
            count = stream.read(piece, 0, piece.length);
        }
        boolean over = stream.isAtEnd() || stream.resetCode() != QuicStream.NONE;
        if (over && in.type >= 0) {
            fail(Http3Error.CRITICAL_CLOSED);
        } else if (over) {
            useless(stream);
        }
    }

    /// A stream that brings nothing is over. The peer may begin another in its place, but not for
    /// ever.
    private void useless(QuicStream stream) {
        stream.release();
        spent(OverheadBudget.RESET);
    }

    private void opened(long type) {
        if (type == PUSH) {
            fail(server ? Http3Error.STREAM_FORBIDDEN : Http3Error.NOT_A_REQUEST);
        } else if (type <= DECODER) {
            if (peers[(int) type]) {
                fail(Http3Error.STREAM_REPEATED);
            }
            peers[(int) type] = true;
        }
    }

    private void receive(int type, byte[] bytes, int from, int to) {
        if (type == CONTROL) {
            Http3Error error = controlReader.receive(bytes, from, to, control);
            if (error != null) {
                fail(error);
            }
        } else if (type == ENCODER) {
            if (decoder.encoderData(bytes, from, to)) {
                spent(decoder.takeInstructionsOver(TABLE_INSTRUCTIONS) * OverheadBudget.SMALL);
                receiver.unblock();
            } else {
                fail(Http3Error.BAD_ENCODER_STREAM);
            }
        } else if (writer.encoder.decoderData(bytes, from, to)) {
            spent(writer.encoder.takeCancellations() * OverheadBudget.SMALL);
        } else {
            fail(Http3Error.BAD_DECODER_STREAM);
        }
    }

    /// Something has come that cost more than it brought.
    ///
    /// @return the error with which the connection is to end, or null
    @Nullable Http3Error spent(int units) {
        return units > 0 && budget.spend(units) ? fail(Http3Error.TOO_MUCH_OVERHEAD) : null;
    }

    /// What the peer's control stream says.
    private final class Control implements Http3FrameReader.Sink {
        @Override
        public @Nullable Http3Error settings(Http3Settings settings) {
            writer.encoder.peerSettings(settings.tableCapacity(), settings.blockedStreams());
            return null;
        }

        @Override
        public @Nullable Http3Error nothing() {
            return spent(OverheadBudget.EMPTY);
        }

        @Override
        public @Nullable Http3Error goAway(long id) {
            if (!server && (id & 3) != 0) {
                return Http3Error.NOT_A_REQUEST;
            }
            events.goAway(id);
            return spent(OverheadBudget.SMALL);
        }

        @Override
        public @Nullable Http3Error priority(long id, byte[] bytes, int from, int to) {
            if (!server || (id & 3) != 0) {
                return Http3Error.NOT_A_REQUEST;
            }
            String value = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
            Priority told = Priority.DEFAULT.changedBy(value);
            Http3Stream known = requests.get(id);
            if (known != null && known.told) {
                events.priority(known, told);
            } else if (known != null || id > last) {
                early.put(id + 1, told);
            }
            return spent(OverheadBudget.SMALL);
        }
    }

    // Sending

    /// Writes what our encoder has to say.
    void putInstructions() {
        byte[] instructions = writer.encoder.instructions().take();
        if (instructions.length > 0) {
            writeOn(ENCODER, instructions);
        }
    }

    /// See [Http3Stream#used].
    boolean used(Http3Stream of, int count) {
        of.unread -= count;
        if (of.waits && of.unread <= limits.firstWindowBytes() / 2) {
            of.waits = false;
            resumed.add(of.quic);
            return true;
        }
        return false;
    }

    /// Has a stream looked at again that was not read to its end.
    void resume(Http3Stream of) {
        resumed.add(of.quic);
    }

    /// Ends a stream before its time, as far as it has not ended.
    void close(Http3Stream which, long code) {
        if (which.closed) {
            return;
        }
        which.closed = true;
        which.rest = Http3Stream.NONE;
        receiver.forget(which);
        if (!which.inputEnded) {
            which.quic.stop(code);
            if (!which.quic.isAtEnd()) {
                decoder.cancel(which.number());
            }
        }
        if (!which.quic.isEnded()) {
            which.quic.reset(code);
        }
    }

    /// Work on a stream is over: when it has ended, the peer may begin another in its place.
    void release(Http3Stream done) {
        requests.remove(done.number());
        done.quic.release();
    }

    /// Says that no further requests are taken.
    ///
    /// @param now false when the client only is to learn that it will be so soon, so that nothing
    ///   is lost that is on its way
    public void goAway(boolean now) {
        long from = now ? last < 0 ? 0 : last + 4 : ALL;
        if (from < refusedFrom) {
            refusedFrom = from;
            byte[] frame = new byte[2 + VarInt.size(from)];
            frame[0] = Http3FrameReader.GOAWAY;
            frame[1] = (byte) VarInt.size(from);
            int end = VarInt.put(frame, 2, from);
            writeOn(CONTROL, Arrays.copyOf(frame, end));
        }
    }

    /// Begins a request. The pseudo-header fields come first, under their names.
    ///
    /// @param length what `content-length` is to say, or negative for nothing
    /// @return null when the peer allows no more at a time
    /// @throws IllegalArgumentException when a field cannot be sent; nothing has been sent then
    public @Nullable Http3Stream request(FieldList head, long length, boolean ends) {
        FieldRules.checkRequest(head);
        QuicStream opened = streams.open(true);
        if (opened == null) {
            return null;
        }
        Http3Stream made = made(opened);
        made.told = true;
        made.bodyless = "HEAD".equals(head.get(":method"));
        writer.request(opened, head, length, ends);
        return made;
    }
}
