package io.margay.gateway.limit;

/// What a limit has done so far. Immutable.
///
/// @param name of the limit
/// @param admitted requests that went on, after waiting or at once
/// @param delayed those of them that have waited, or wait
/// @param refused requests that were answered, or would have been if nothing were only logged
/// @param forgotten keys that were forgotten before their time, since too many came
public record LimitReading(
        String name, long admitted, long delayed, long refused, long forgotten) {}
