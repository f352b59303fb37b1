package io.margay.protocol.trace;

import io.margay.protocol.http.Fields;

/// One request as it was written down. Immutable.
///
/// @param atMillis when it came, milliseconds since 1970
/// @param target path and query
/// @param status of the answer; 0 = not known
/// @param fields those that are kept
public record TracedRequest(
        long atMillis, String method, String target, int status, Fields fields) {
    /// Whether it may be sent again: content is never kept, and what changes something needs it.
    public boolean isRepeatable() {
        return method.equals("GET") || method.equals("HEAD");
    }
}
