package io.margay.servlet.session;

/// How many sessions an application has had since it was deployed. Immutable.
///
/// @param created begun by requests; those that were restored or taken over are not among them
/// @param expired ended because nobody used them for too long
/// @param refused not begun, because there were too many
/// @param restored of the process before, from its file
/// @param kept in the file for the next process
/// @param lost on the way from one process to the next
public record SessionTotals(
        long created, long expired, long refused, long restored, long kept, long lost) {
    /// Of an application that does not run.
    public static final SessionTotals NONE = new SessionTotals(0, 0, 0);

    /// Of one whose sessions have not been on the way to another process.
    public SessionTotals(long created, long expired, long refused) {
        this(created, expired, refused, 0, 0, 0);
    }
}
