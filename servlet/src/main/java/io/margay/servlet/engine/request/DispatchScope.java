package io.margay.servlet.engine.request;

import io.margay.servlet.engine.application.Route;
import jakarta.servlet.DispatcherType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a dispatch changed about a request, to be put back when it returns.
///
/// @param attributes attributes that the dispatch covered, with the values they had
public record DispatchScope(
        Route route,
        DispatcherType type,
        @Nullable String dispatchQuery,
        Map<String, @Nullable Object> attributes) {}
