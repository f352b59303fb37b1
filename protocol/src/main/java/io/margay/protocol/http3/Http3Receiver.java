package io.margay.protocol.http3;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.Priority;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http2.HeadCollector;
import io.margay.protocol.http2.OverheadBudget;
import io.margay.protocol.quic.stream.QuicStream;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The receiving half of a session, as far as messages go: reads the frames of their streams,
/// checks them, and tells what they mean. Guarded as its session is.
final class Http3Receiver implements Http3FrameReader.Sink {
    private static final ProtocolError MALFORMED =
            ProtocolError.of(400, "RFC 9114 §4.1.2", "a message is malformed");
    private static final ProtocolError LENGTH_DIFFERS =
            ProtocolError.of(
                    400, "RFC 9114 §4.1.2", "the content is not as long as Content-Length says");
    private static final ProtocolError GREW_TOO_LARGE =
            ProtocolError.of(413, "RFC 9110 §15.5.14", "the content is larger than allowed");

    private final Http3Session session;
    private final long bodyBytesMax;
    private final RequestTarget.Characters characters;

    /// Streams with a section that is blocked.
    private final Set<Http3Stream> blocked = new LinkedHashSet<>();

    /// Whose octets are looked at, and where they end.
    private @Nullable Http3Stream current;

    private int end;

    Http3Receiver(Http3Session session, long bodyBytesMax, RequestTarget.Characters characters) {
        this.session = session;
        this.bodyBytesMax = bodyBytesMax;
        this.characters = characters;
    }

    /// Something has happened on a stream.
    void look(Http3Stream stream, byte[] piece) {
        QuicStream quic = stream.quic;
        if (stream.closed) {
            return;
        }
        boolean unwanted = quic.stopCode() != QuicStream.NONE;
        if (unwanted || (quic.resetCode() != QuicStream.NONE && !stream.inputEnded)) {
            failStream(stream, null, Http3Error.REQUEST_CANCELLED);
            return;
        }
        read(stream, piece);
        if (!stream.closed && stream.told && quic.room() > 0) {
            session.events.room(stream);
        }
    }

    /// Ends a stream because of what the peer did on it.
    ///
    /// @param why null when the peer has ended it itself
    private void failStream(Http3Stream stream, @Nullable ProtocolError why, long code) {
        session.close(stream, code);
        if (session.budget.spend(OverheadBudget.RESET)) {
            session.fail(Http3Error.TOO_MUCH_OVERHEAD);
        }
        if (stream.told) {
            session.events.reset(stream, why);
        } else {
            session.release(stream);
        }
    }

    /// The head of a stream has not come in time.
    void late(Http3Stream stream) {
        failStream(stream, null, Http3Error.REQUEST_INCOMPLETE);
    }

    private void read(Http3Stream stream, byte[] piece) {
        while (session.failure() == null && !stream.closed && stream.blocked == null) {
            if (stream.unread >= session.limits.firstWindowBytes()) {
                stream.waits = true;
                return;
            }
            byte[] bytes = stream.rest;
            int count = bytes.length;
            stream.rest = Http3Stream.NONE;
            if (count == 0) {
                bytes = piece;
                count = stream.quic.read(piece, 0, piece.length);
            }
            if (count == 0) {
                end(stream);
                return;
            }
            current = stream;
            end = count;
            Http3Error error = stream.reader.receive(bytes, 0, count, this);
            if (error != null) {
                session.fail(error);
            } else if (stream.reader.consumed() < count && !stream.closed) {
                stream.rest = Arrays.copyOfRange(bytes, stream.reader.consumed(), count);
            }
        }
    }

    /// All that has come was looked at.
    private void end(Http3Stream stream) {
        if (stream.inputEnded && !stream.trailersReceived) {
            return;
        }
        if (!stream.quic.isAtEnd()) {
            return;
        }
        Http3Error error = stream.reader.end();
        if (error != null) {
            session.fail(error);
        } else if (!stream.headReceived) {
            failStream(stream, MALFORMED, Http3Error.REQUEST_INCOMPLETE);
        } else if (!stream.inputEnded) {
            if (isShort(stream)) {
                failStream(stream, LENGTH_DIFFERS, Http3Error.MESSAGE_ERROR);
                return;
            }
            stream.inputEnded = true;
            session.budget.earn(OverheadBudget.MESSAGE_ENDED);
            session.events.data(stream, Http3Stream.NONE, 0, 0);
        }
    }

    private static boolean isShort(Http3Stream stream) {
        return stream.declared != Http3Stream.UNKNOWN && stream.received != stream.declared;
    }

    // Frames

    private Http3Stream current() {
        Http3Stream known = current;
        if (known == null) {
            throw new IllegalStateException("no stream is current");
        }
        return known;
    }

    @Override
    public @Nullable Http3Error headers(byte[] bytes, int from, int to) {
        Http3Stream stream = current();
        if (stream.closed) {
            return null;
        }
        boolean ends = stream.quic.isAtEnd() && stream.reader.consumed() == end;
        return section(stream, bytes, from, to, ends);
    }

    private @Nullable Http3Error section(
            Http3Stream stream, byte[] bytes, int from, int to, boolean ends) {
        HeadCollector.Kind kind =
                stream.headReceived
                        ? HeadCollector.Kind.TRAILERS
                        : session.server ? HeadCollector.Kind.REQUEST : HeadCollector.Kind.RESPONSE;
        HeadCollector collector =
                new HeadCollector(kind, HttpVersion.HTTP_3, session.limits, true, characters);
        switch (session.decoder.decode(stream.number(), bytes, from, to, collector)) {
            case MALFORMED -> {
                return Http3Error.BAD_SECTION;
            }
            case BLOCKED -> {
                stream.blocked = Arrays.copyOfRange(bytes, from, to);
                blocked.add(stream);
                stream.reader.pause();
                return null;
            }
            case DONE -> {}
        }
        if (collector.isBomb()) {
            return Http3Error.SECTION_TOO_LARGE;
        }
        switch (kind) {
            case REQUEST -> request(stream, collector, ends);
            case RESPONSE -> response(stream, collector, ends);
            case TRAILERS -> trailers(stream, collector);
        }
        return null;
    }

    /// The peer's encoder has said more: sections that waited for it are decoded.
    void unblock() {
        for (Http3Stream stream : blocked.toArray(new Http3Stream[0])) {
            byte[] bytes = stream.blocked;
            if (bytes == null || session.failure() != null) {
                continue;
            }
            stream.blocked = null;
            blocked.remove(stream);
            boolean ends = stream.quic.isAtEnd() && stream.rest.length == 0;
            Http3Error error = section(stream, bytes, 0, bytes.length, ends);
            if (error != null) {
                session.fail(error);
            } else if (stream.blocked == null && !stream.closed) {
                session.resume(stream);
            }
        }
    }

    /// Forgets a stream that has ended.
    void forget(Http3Stream stream) {
        stream.blocked = null;
        blocked.remove(stream);
    }

    private void request(Http3Stream stream, HeadCollector collector, boolean ends) {
        if (session.isRefused(stream)) {
            failStream(stream, null, Http3Error.REQUEST_REJECTED);
            return;
        }
        RequestHead head = collector.request(ends);
        if (head == null) {
            failStream(stream, MALFORMED, Http3Error.MESSAGE_ERROR);
            return;
        }
        stream.headReceived = true;
        stream.reader.headIsFinal();
        stream.told = true;
        stream.declared = collector.contentLength();
        Priority told = session.early.take(stream.number() + 1);
        Priority asked = told == null ? Priority.of(head.fields()) : told;
        if (asked != null) {
            stream.priority(asked);
        }
        stream.inputEnded = ends;
        ProtocolError refusal = collector.refusal(bodyBytesMax);
        if (refusal != null && session.budget.spend(OverheadBudget.SMALL)) {
            session.fail(Http3Error.TOO_MUCH_OVERHEAD);
        } else if (refusal == null && ends) {
            session.budget.earn(OverheadBudget.MESSAGE_ENDED);
        }
        session.events.head(stream, head, refusal);
    }

    private void response(Http3Stream stream, HeadCollector collector, boolean ends) {
        ResponseHead head = collector.response(ends, stream.bodyless);
        if (head == null || (head.isInterim() && ends)) {
            failStream(stream, MALFORMED, Http3Error.MESSAGE_ERROR);
            return;
        }
        if (!head.isInterim()) {
            stream.headReceived = true;
            stream.reader.headIsFinal();
            boolean any = head.contentLength() != 0 && !stream.bodyless;
            stream.declared = any ? collector.contentLength() : 0;
            stream.inputEnded = ends;
        }
        session.events.response(stream, head);
    }

    private void trailers(Http3Stream stream, HeadCollector collector) {
        if (collector.isMalformed() || collector.isTooLarge()) {
            failStream(stream, MALFORMED, Http3Error.MESSAGE_ERROR);
            return;
        }
        if (isShort(stream)) {
            failStream(stream, LENGTH_DIFFERS, Http3Error.MESSAGE_ERROR);
            return;
        }
        Fields trailers = collector.trailers();
        stream.trailersReceived = true;
        stream.inputEnded = true;
        session.events.trailers(stream, trailers);
    }

    @Override
    public @Nullable Http3Error nothing() {
        return session.spent(OverheadBudget.EMPTY);
    }

    @Override
    public @Nullable Http3Error data(byte[] bytes, int from, int to) {
        Http3Stream stream = current();
        if (stream.closed) {
            return null;
        }
        int count = to - from;
        stream.received += count;
        boolean known = stream.declared != Http3Stream.UNKNOWN;
        if (known && stream.received > stream.declared) {
            failStream(stream, LENGTH_DIFFERS, Http3Error.MESSAGE_ERROR);
        } else if (bodyBytesMax >= 0 && stream.received > bodyBytesMax) {
            failStream(stream, GREW_TOO_LARGE, Http3Error.REQUEST_CANCELLED);
        } else {
            stream.unread += count;
            session.budget.moved(count);
            session.events.data(stream, bytes, from, to);
        }
        return null;
    }
}
