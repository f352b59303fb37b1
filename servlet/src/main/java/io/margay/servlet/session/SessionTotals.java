package io.margay.servlet.session;

/// How many sessions an application has had since it was deployed. Immutable.
///
/// @param created begun by requests; those that were restored or taken over are not among them
/// @param expired ended because nobody used them for too long
/// @param refused not begun, because there were too many
public record SessionTotals(long created, long expired, long refused) {
    /// Of an application that does not run.
    public static final SessionTotals NONE = new SessionTotals(0, 0, 0);
}
