package io.margay.protocol.quic.stream;

import org.jspecify.annotations.Nullable;

/// One stream of a connection, as its user sees it. Confined to the connection's owner.
///
/// What has happened to it is told by [Streams#next]; what that was, the stream is asked.
public final class QuicStream {
    /// What [#resetCode] and [#stopCode] say when there is none.
    public static final long NONE = -1;

    /// What a stream takes beside its data, with what its user makes of it, roughly.
    private static final long STREAM_BYTES = 1_536;

    private final Streams streams;
    private final long id;
    final @Nullable ReceivingPart receiving;
    final @Nullable SendingPart sending;
    private @Nullable Object owner;

    /// Octets received that count in the connection's window, and those that do no more.
    long counted;

    long settled;

    /// Where it is queued.
    boolean hasNews;

    boolean sends;
    boolean controls;

    /// What is to be sent besides data.
    boolean stopDue;

    boolean limitDue;
    boolean released;
    boolean forgotten;

    QuicStream(
            Streams streams,
            long id,
            @Nullable ReceivingPart receiving,
            @Nullable SendingPart sending) {
        this.streams = streams;
        this.id = id;
        this.receiving = receiving;
        this.sending = sending;
    }

    public long id() {
        return id;
    }

    /// Whether the peer has opened it.
    public boolean isPeers() {
        return streams.isPeers(id);
    }

    /// Whether both sides send on it.
    public boolean isBidirectional() {
        return (id & 2) == 0;
    }

    public @Nullable Object owner() {
        return owner;
    }

    public void owner(Object value) {
        owner = value;
    }

    /// Octets of memory that it takes.
    long bytes() {
        return STREAM_BYTES
                + (receiving == null ? 0 : receiving.bytes())
                + (sending == null ? 0 : sending.data().bytes());
    }

    // Receiving

    /// Octets that can be read now.
    public int readable() {
        return receiving == null ? 0 : receiving.readable();
    }

    /// Reads into `target[from,to)`, which lets the peer send more.
    ///
    /// @return octets read
    public int read(byte[] target, int from, int to) {
        if (receiving == null) {
            return 0;
        }
        int count = receiving.read(target, from, to);
        if (count > 0) {
            streams.wasRead(this);
        }
        return count;
    }

    /// Whether everything was read up to the end of the stream.
    public boolean isAtEnd() {
        return receiving == null || receiving.isAtEnd();
    }

    /// The code with which the peer has ended its half before its time, or [#NONE].
    public long resetCode() {
        return receiving == null ? NONE : receiving.resetCode();
    }

    /// Asks the peer to send no more; what it has sent is forgotten.
    public void stop(long code) {
        if (receiving != null && receiving.stop(code)) {
            streams.stopDue(this);
        }
        streams.settle(this);
    }

    // Sending

    /// Octets that [#write] takes now.
    public int room() {
        return sending == null ? 0 : sending.room();
    }

    /// Whether everything the stream will have was written, or it was reset.
    public boolean isEnded() {
        return sending == null || sending.isEnded();
    }

    /// Octets that were written and never sent.
    public long unsent() {
        return sending == null ? 0 : sending.data().end() - sending.data().next();
    }

    /// Octets that the peer's window of this stream allows beyond those written.
    public long peerRoom() {
        return sending == null ? 0 : Math.max(0, sending.limit() - sending.data().end());
    }

    /// Writes data to be sent.
    ///
    /// @param ends whether nothing follows
    /// @return octets taken, up to [#room]; `ends` counts only when all were
    public int write(byte[] source, int from, int to, boolean ends) {
        int count = Math.min(room(), to - from);
        writeWhole(source, from, from + count, ends && count == to - from);
        return count;
    }

    /// Writes what is to go as a whole, such as a head, whatever [#room] says: the caller bounds
    /// how much that is.
    public void writeWhole(byte[] source, int from, int to, boolean ends) {
        if (sending == null || sending.isEnded()) {
            throw new IllegalStateException("nothing can be written to stream " + id);
        }
        sending.write(source, from, to, ends);
        streams.unsent(to - from);
        streams.sends(this);
    }

    /// Ends our half before its time; data that was not sent is forgotten.
    public void reset(long code) {
        long left = unsent();
        if (sending != null && sending.reset(code)) {
            streams.unsent(-left);
            streams.controls(this);
        }
    }

    /// The code with which the peer has asked to send no more, or [#NONE].
    public long stopCode() {
        return sending == null ? NONE : sending.stopCode();
    }

    /// Work on it is over: when both halves are, the peer may open another in its place.
    public void release() {
        released = true;
        streams.forgetIfDone(this);
    }

    /// Whether both halves are over and it is forgotten.
    public boolean isForgotten() {
        return forgotten;
    }
}
