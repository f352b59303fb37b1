package io.margay.servlet.session.engine;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is to be written of a session, all of it or nothing, but for what its fence leaves out.
/// Immutable; nobody changes the arrays.
///
/// @param whole whether this is all of the session, which is made if there is none
/// @param intervalMillis the session ends when it has not been used for so long; 0 = never
/// @param head what is not an attribute; null = as it is, and never null if `whole`
/// @param put attributes to be added or replaced
/// @param removed names of attributes to be removed
/// @param fence which of these are left out, for they are older than what is there
@SuppressWarnings("ArrayRecordComponent") // bytes on their way, never compared
public record SessionChange(
        boolean whole,
        long intervalMillis,
        byte @Nullable [] head,
        Map<String, byte[]> put,
        Set<String> removed,
        ChangeFence fence) {
    public SessionChange {
        put = Map.copyOf(put);
        removed = Set.copyOf(removed);
    }

    /// One that nothing is left out of.
    public SessionChange(
            boolean whole,
            long intervalMillis,
            byte @Nullable [] head,
            Map<String, byte[]> put,
            Set<String> removed) {
        this(whole, intervalMillis, head, put, removed, ChangeFence.NONE);
    }
}
