package io.margay.servlet.session.engine;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is to be written of a session, all of it or nothing. Immutable; nobody changes the arrays.
///
/// @param whole whether this is all of the session, which is made if there is none
/// @param intervalMillis the session ends when it has not been used for so long; 0 = never
/// @param head what is not an attribute; null = as it is, and never null if `whole`
/// @param put attributes to be added or replaced
/// @param removed names of attributes to be removed
@SuppressWarnings("ArrayRecordComponent") // bytes on their way, never compared
public record SessionChange(
        boolean whole,
        long intervalMillis,
        byte @Nullable [] head,
        Map<String, byte[]> put,
        Set<String> removed) {
    public SessionChange {
        put = Map.copyOf(put);
        removed = Set.copyOf(removed);
    }
}
