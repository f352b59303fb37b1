package io.margay.servlet.session.engine;

import java.util.Map;

/// A session as an engine holds it. Immutable; nobody changes the arrays.
///
/// @param id its identifier
/// @param version changes with every change of the session, and never comes again
/// @param accessedMillis when it was used before, since the epoch, by the engine's clock
/// @param head what is not an attribute: opaque, signed by the container
/// @param attributes each by its name: opaque, signed by the container
/// @param marks which saves have put or removed attributes, by the attributes' names; some of those
///   that were removed, and none of what was saved without a fence
@SuppressWarnings("ArrayRecordComponent") // bytes on their way, never compared
public record StoredSession(
        String id,
        long version,
        long accessedMillis,
        byte[] head,
        Map<String, byte[]> attributes,
        Map<String, ChangeMark> marks) {
    public StoredSession {
        attributes = Map.copyOf(attributes);
        marks = Map.copyOf(marks);
    }

    /// One whose engine remembers no marks.
    public StoredSession(
            String id,
            long version,
            long accessedMillis,
            byte[] head,
            Map<String, byte[]> attributes) {
        this(id, version, accessedMillis, head, attributes, Map.of());
    }
}
