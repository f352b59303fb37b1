package io.margay.servlet.session.engine;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What keeps a late save from undoing newer ones: an attribute is left out if a request of another
/// server, which began no sooner, has put or removed it after the version that this server knew
/// when the attribute was changed, or if this server has in a later save. Immutable.
///
/// @param writer the server that saves; no other has the same
/// @param order the number of this save; a later save of the same server has a higher one
/// @param base what the server knows
/// @param since what each change of an attribute comes from, where that is not `base`
public record ChangeFence(
        String writer, long order, ChangeOrigin base, Map<String, ChangeOrigin> since) {
    /// Nothing is left out.
    public static final ChangeFence NONE =
            new ChangeFence("", 0, new ChangeOrigin(Long.MAX_VALUE, Long.MAX_VALUE), Map.of());

    public ChangeFence {
        since = Map.copyOf(since);
    }

    /// What the change of an attribute comes from.
    public ChangeOrigin since(String name) {
        return since.getOrDefault(name, base);
    }

    /// Whether the change of an attribute is left out.
    ///
    /// @param mark that the attribute has; null = none
    public boolean isLate(String name, @Nullable ChangeMark mark) {
        if (mark == null) {
            return false;
        }
        ChangeOrigin own = since(name);
        return mark.writer().equals(writer)
                ? mark.version() > own.version() && mark.order() >= order
                : own.isBefore(mark);
    }

    /// What an attribute that is put or removed by this save is marked with.
    ///
    /// @param version that the session has by this save
    public ChangeMark mark(String name, long version) {
        return new ChangeMark(version, writer, order, since(name).begunMillis());
    }
}
