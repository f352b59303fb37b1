package io.margay.gateway.mirror;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the answers of the upstream that gets copies are compared with the others. Immutable.
///
/// @param sample percentage of the copied requests that the route's own upstream gets a second
///   time, so that what differs by itself is known
/// @param load of the processors above which few requests are compared, as a percentage
/// @param ignore fields of answers that are not compared, besides those that never are
/// @param include fields that are compared although they are not by default
/// @param record the file into which the requests of clients are written, to be sent again; null =
///   none
/// @param recordQueries whether the values of queries are written, too
public record CompareConfig(
        double sample,
        double load,
        List<String> ignore,
        List<String> include,
        @Nullable Path record,
        boolean recordQueries) {
    public CompareConfig {
        ignore = List.copyOf(ignore);
        include = List.copyOf(include);
        if (sample < 0 || sample > 100 || load < 0 || load > 100) {
            throw new IllegalArgumentException("a sample and a load are from 0% to 100%");
        }
    }

    /// With every default.
    public static CompareConfig defaults() {
        return new CompareConfig(5, 75, List.of(), List.of(), null, false);
    }
}
