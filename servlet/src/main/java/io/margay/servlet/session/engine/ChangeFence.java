package io.margay.servlet.session.engine;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What keeps a late save from undoing newer ones: an attribute is left out if another server has
/// put or removed it after the version that this server knew when the attribute was changed, or if
/// this server has in a later save. Immutable.
///
/// @param writer the server that saves; no other has the same
/// @param order the number of this save; a later save of the same server has a higher one
/// @param base the version of the session that the server knows
/// @param since the version that was known when an attribute was changed, where it is not `base`
public record ChangeFence(String writer, long order, long base, Map<String, Long> since) {
    /// Nothing is left out.
    public static final ChangeFence NONE = new ChangeFence("", 0, Long.MAX_VALUE, Map.of());

    public ChangeFence {
        since = Map.copyOf(since);
    }

    /// The version that was known when the attribute was changed.
    public long since(String name) {
        return since.getOrDefault(name, base);
    }

    /// Whether the change of an attribute is left out.
    ///
    /// @param mark that the attribute has; null = none
    public boolean isLate(String name, @Nullable ChangeMark mark) {
        if (mark == null || mark.version() <= since(name)) {
            return false;
        }
        return !mark.writer().equals(writer) || mark.order() >= order;
    }

    /// What an attribute that is put or removed by this save is marked with.
    ///
    /// @param version that the session has by this save
    public ChangeMark mark(long version) {
        return new ChangeMark(version, writer, order);
    }
}
