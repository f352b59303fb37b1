package io.margay.servlet;

import io.margay.servlet.engine.registration.ServletCounts;
import io.margay.servlet.engine.registration.ServletHolder;

/// What the requests to one servlet have come to, forwards and includes not counted. Immutable.
///
/// @param errors of the requests, those that ended with an exception or `sendError`
/// @param nanos of all requests, with the filters before the servlet
/// @param shortestNanos `Long.MAX_VALUE` before the first request
/// @param classLoadNanos until there was an instance; 0 = there is none
/// @param loadNanos until it was initialised; 0 = it is not
public record ServletReading(
        String name,
        long requests,
        long errors,
        long nanos,
        long longestNanos,
        long shortestNanos,
        long classLoadNanos,
        long loadNanos) {
    static ServletReading of(ServletHolder servlet) {
        ServletCounts counts = servlet.count();
        return new ServletReading(
                servlet.getServletName(),
                counts.requests(),
                counts.errors(),
                counts.nanos(),
                counts.longestNanos(),
                counts.shortestNanos(),
                servlet.classLoadNanos(),
                servlet.loadNanos());
    }
}
