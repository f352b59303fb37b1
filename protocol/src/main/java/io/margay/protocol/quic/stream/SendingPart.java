package io.margay.protocol.quic.stream;

/// The half of a stream on which we send (RFC 9000 §3.1). Confined to the connection's owner.
///
/// ```
/// READY ─ data ─► SENDING ─ all sent with FIN ─► SENT ─ all acknowledged ─► DONE
///   └─────────────────┴──── reset ─────────────► RESET ─ acknowledged ────► DONE
/// ```
final class SendingPart {
    static final long NONE = -1;

    private final SendBuffer data = new SendBuffer();
    private final int bufferMax;
    private long limit;
    private boolean ended;
    private boolean finSent;
    private boolean finLost;
    private boolean finAcked;
    private long resetCode = NONE;
    private boolean resetPending;
    private boolean resetAcked;
    private long stopCode = NONE;
    private long blockedAt = NONE;

    /// @param limit octets that the peer takes
    /// @param bufferMax octets that are kept until they are acknowledged
    SendingPart(long limit, int bufferMax) {
        this.limit = limit;
        this.bufferMax = bufferMax;
    }

    SendBuffer data() {
        return data;
    }

    /// Octets that [#write] takes now.
    int room() {
        return ended || resetCode != NONE ? 0 : (int) Math.max(0, bufferMax - data.held());
    }

    /// Takes data, at most [#room].
    void write(byte[] source, int from, int to, boolean ends) {
        data.write(source, from, to);
        ended |= ends;
    }

    boolean isEnded() {
        return ended || resetCode != NONE;
    }

    /// The peer takes more.
    ///
    /// @return whether that lets something be sent
    boolean limit(long most) {
        boolean more = most > limit;
        limit = Math.max(limit, most);
        return more && data.hasNew();
    }

    long limit() {
        return limit;
    }

    /// Ends it before its time.
    ///
    /// @return whether it had not ended
    boolean reset(long code) {
        if (resetCode != NONE || (finAcked && data.isAcked())) {
            return false;
        }
        resetCode = code;
        resetPending = true;
        return true;
    }

    /// The peer wants no more.
    void stopped(long code) {
        stopCode = code;
    }

    /// The code with which the peer wants no more, or [#NONE].
    long stopCode() {
        return stopCode;
    }

    long resetCode() {
        return resetCode;
    }

    /// The size that a reset tells: what was sent so far.
    long finalSize() {
        return data.next();
    }

    boolean isResetPending() {
        return resetPending;
    }

    void resetSent() {
        resetPending = false;
    }

    void resetLost() {
        resetPending = !resetAcked;
    }

    void resetAcked() {
        resetAcked = true;
    }

    /// Whether a STREAM frame is to be sent, as far as the stream's own window goes.
    ///
    /// @param connectionRoom new octets that the connection's window allows
    boolean wantsToSend(long connectionRoom) {
        if (resetCode != NONE) {
            return false;
        }
        return data.hasLost()
                || (data.hasNew() && data.next() < limit && connectionRoom > 0)
                || isFinDue();
    }

    /// Whether FIN is to be sent, with the last data or alone.
    private boolean isFinDue() {
        return ended && (!finSent || finLost) && !data.hasNew() && !data.hasLost();
    }

    /// Whether a frame that ends at this offset carries FIN.
    boolean endsAt(long offset) {
        return ended && offset == data.end();
    }

    void finSent() {
        finSent = true;
        finLost = false;
    }

    void acked(long offset, int count, boolean fin) {
        data.acked(offset, count);
        finAcked |= fin;
    }

    void lost(long offset, int count, boolean fin) {
        if (resetCode == NONE) {
            data.lost(offset, count);
            finLost |= fin && !finAcked;
        }
    }

    /// Whether the peer knows how it ended.
    boolean isDone() {
        return resetCode != NONE ? resetAcked : finAcked && data.isAcked();
    }

    /// Whether the peer is to be told that its limit holds us up, which it is once for each limit.
    boolean isBlocked() {
        return resetCode == NONE && data.hasNew() && data.next() >= limit && blockedAt != limit;
    }

    void blockedTold() {
        blockedAt = limit;
    }
}
