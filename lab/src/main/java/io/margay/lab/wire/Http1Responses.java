package io.margay.lab.wire;

import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http1.Http1BodyDecoder;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1ResponseDecoder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the answers of one connection, one after the other. Confined to the loop.
///
/// A head whose bytes equal those of the last one decoded, on whichever connection, is not decoded
/// again: equal bytes have equal meaning, and under load nearly all heads of a second are equal.
public final class Http1Responses {
    /// What [#read] found.
    public enum Result {
        MORE,
        DONE,
        FAILED
    }

    /// The last head that was decoded, and its bytes. Shared by the connections of one loop.
    public static final class LastHead {
        private byte[] bytes = new byte[0];
        private @Nullable ResponseHead head;

        private @Nullable ResponseHead match(byte[] buffer, int from, int to) {
            int length = bytes.length;
            return length > 0
                            && to - from >= length
                            && Arrays.equals(buffer, from, from + length, bytes, 0, length)
                    ? head
                    : null;
        }

        private void put(byte[] buffer, int from, int to, ResponseHead decoded) {
            bytes = Arrays.copyOfRange(buffer, from, to);
            head = decoded;
        }
    }

    private static final String GET = "GET";
    private static final int SERVER_ERROR = 500;
    private static final Http1Limits LIMITS = Http1Limits.defaults();

    private final Http1ResponseDecoder decoder = new Http1ResponseDecoder(LIMITS);
    private final LastHead lastHead;
    private final BodyCheck check = new BodyCheck();
    private @Nullable ResponseHead head;
    private @Nullable Http1BodyDecoder body;
    private boolean headBegun;
    private int consumed;
    private int wanted;
    private boolean traced;
    private String method = GET;
    private String failure = "";

    public Http1Responses(LastHead lastHead) {
        this.lastHead = lastHead;
    }

    public BodyCheck check() {
        return check;
    }

    /// A request was sent: its answer is next.
    public void expect(Target target) {
        wanted = target.status();
        traced = target.isTraced();
        method = target.isHead() ? "HEAD" : GET;
        decoder.reset(method);
        head = null;
        body = null;
        headBegun = false;
        check.begin(target.template());
    }

    /// Reads on; `[from,to)` begins with what [#consumed] left the last time.
    public Result read(byte[] buffer, int from, int to) {
        int at = from;
        if (body == null) {
            at = readHead(buffer, from, to);
            if (at < 0) {
                return failure.isEmpty() ? Result.MORE : Result.FAILED;
            }
        }
        return readBody(buffer, at, to);
    }

    /// Offset after the head, or -1.
    private int readHead(byte[] buffer, int from, int to) {
        int start = from;
        while (true) {
            ResponseHead known =
                    headBegun || !method.equals(GET) ? null : lastHead.match(buffer, start, to);
            if (known != null) {
                begin(known);
                return start + lastHead.bytes.length;
            }
            switch (decoder.decode(buffer, start, to)) {
                case NEED_MORE -> {
                    headBegun = to > start;
                    consumed = start;
                    return -1;
                }
                case ERROR -> {
                    failure = "malformed answer";
                    return -1;
                }
                case HEAD -> {
                    ResponseHead decoded = decoder.head();
                    int end = decoder.headEnd();
                    if (!decoded.isInterim()) {
                        if (method.equals(GET)) {
                            lastHead.put(buffer, start, end, decoded);
                        }
                        begin(decoded);
                        return end;
                    }
                    decoder.reset(method);
                    headBegun = false;
                    start = end;
                }
            }
        }
    }

    private void begin(ResponseHead decoded) {
        head = decoded;
        long length = decoded.contentLength();
        body =
                length == ResponseHead.UNTIL_CLOSE
                        ? Http1BodyDecoder.untilClose()
                        : length == ResponseHead.UNKNOWN_LENGTH
                                ? Http1BodyDecoder.chunked(LIMITS)
                                : Http1BodyDecoder.fixed(length);
    }

    private Result readBody(byte[] buffer, int from, int to) {
        int at = from;
        while (true) {
            Http1BodyDecoder decoder = body();
            switch (decoder.decode(buffer, at, to)) {
                case DATA -> {
                    check.accept(buffer, decoder.dataFrom(), decoder.dataTo());
                    at = decoder.consumed();
                    if (decoder.ended()) {
                        consumed = at;
                        return Result.DONE;
                    }
                }
                case END -> {
                    consumed = decoder.consumed();
                    return Result.DONE;
                }
                case NEED_MORE -> {
                    consumed = decoder.consumed();
                    return Result.MORE;
                }
                case ERROR -> {
                    failure = "malformed answer";
                    return Result.FAILED;
                }
            }
        }
    }

    /// The server has closed the connection within an answer.
    public Result endOfInput() {
        if (body == null) {
            failure = headBegun ? "closed within an answer" : "closed without an answer";
            return Result.FAILED;
        }
        if (body().endOfInput() == Http1BodyDecoder.Result.END) {
            return Result.DONE;
        }
        failure = "closed within an answer";
        return Result.FAILED;
    }

    /// Whether a byte of the expected answer has arrived.
    public boolean hasBegun() {
        return headBegun || body != null;
    }

    /// Offset after what was used, after MORE and DONE.
    public int consumed() {
        return consumed;
    }

    /// What was wrong, after FAILED.
    public String failure() {
        return failure;
    }

    /// What is wrong with the complete answer, or nothing.
    public String objection() {
        int status = head().status();
        if (traced) {
            return status >= SERVER_ERROR && wanted < SERVER_ERROR ? "status " + status : "";
        }
        return status != wanted ? "status " + status : check.matches() ? "" : "wrong content";
    }

    /// How the status differs from the one that was written down in a trace, or nothing.
    public String otherStatus() {
        int status = head().status();
        return traced && wanted != 0 && status != wanted ? status + " instead of " + wanted : "";
    }

    public ResponseHead head() {
        if (head == null) {
            throw new IllegalStateException("there is no head yet");
        }
        return head;
    }

    private Http1BodyDecoder body() {
        if (body == null) {
            throw new IllegalStateException("there is no head yet");
        }
        return body;
    }
}
