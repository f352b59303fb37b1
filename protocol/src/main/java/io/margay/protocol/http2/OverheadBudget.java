package io.margay.protocol.http2;

/// What a peer's frames have cost that brought nothing, against what is allowed. It has no clock:
/// whoever has one tells it of each second. Guarded as its session is.
///
/// Costs are small numbers that weigh frames against each other; what is useful takes from the
/// cost, so that a busy connection may have more overhead than an idle one.
public final class OverheadBudget {
    /// A stream that was reset, by the peer or because of it: a request for nothing
    /// (CVE-2023-44487, CVE-2025-8671). A client may cancel all the streams that it may have at a
    /// time, and not many more.
    public static final int RESET = 8;

    /// SETTINGS, each of which is answered and may touch every stream (CVE-2019-9515).
    static final int SETTINGS = 5;

    /// PING, which is answered (CVE-2019-9512).
    static final int PING = 2;

    /// DATA without content that ends nothing (CVE-2019-9518), and frames of unknown types.
    public static final int EMPTY = 2;

    /// PRIORITY, WINDOW_UPDATE, CONTINUATION, frames on streams that are over.
    public static final int SMALL = 1;

    /// A frame of DATA that was sent takes this away, for the peer may give room for each by
    /// itself, in the window of the stream and in that of the connection.
    static final int ROOM = 2 * SMALL;

    /// A message that ended as it should takes this away.
    public static final int MESSAGE_ENDED = 5;

    /// DATA, in either direction, takes 1 away for each so many octets.
    static final int OCTETS_PER_UNIT = 1_024;

    private final int max;
    private final int perSecond;
    private int cost;
    private int octets;

    /// @param max what may have been spent at a time
    /// @param perSecond what each second forgives
    public OverheadBudget(int max, int perSecond) {
        this.max = max;
        this.perSecond = perSecond;
    }

    /// Adds a cost.
    ///
    /// @return whether the budget is exceeded
    public boolean spend(int units) {
        cost = Math.min(cost + units, max + 1);
        return isExceeded();
    }

    boolean isExceeded() {
        return cost > max;
    }

    /// Takes away from the cost.
    public void earn(int units) {
        cost = Math.max(0, cost - units);
    }

    /// Content has been moved, so many octets.
    public void moved(int count) {
        octets += count;
        earn(octets / OCTETS_PER_UNIT);
        octets %= OCTETS_PER_UNIT;
    }

    /// Time has passed.
    public void seconds(int count) {
        earn((int) Math.min(cost, (long) perSecond * count));
    }
}
