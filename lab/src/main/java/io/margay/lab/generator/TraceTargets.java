package io.margay.lab.generator;

import io.margay.lab.load.LoadJob;
import io.margay.lab.trace.Trace;
import io.margay.lab.wire.Target;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.trace.TracedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The requests of a trace as the loop sends them, and when. Equal ones are one target. Immutable.
///
/// @param atNanos when each is sent, from the first on
@SuppressWarnings("ArrayRecordComponent") // never compared
record TraceTargets(List<Target> targets, long[] atNanos) {
    /// How a path begins that names a trace.
    static final String WORD = "TRACE ";

    private static final long MILLI = 1_000_000L;

    /// Those of a job's trace; null when it has none.
    static @Nullable TraceTargets of(LoadJob job) throws IOException {
        String path = job.paths().isEmpty() ? "" : job.paths().getFirst();
        if (!path.startsWith(WORD)) {
            return null;
        }
        List<TracedRequest> all = Trace.read(file(path)).requests();
        Map<String, Target> known = new HashMap<>();
        List<Target> targets = new ArrayList<>();
        long[] at = new long[all.size()];
        for (int i = 0; i < at.length; i++) {
            TracedRequest one = all.get(i);
            String key = one.method() + one.target() + ' ' + one.status() + one.fields();
            targets.add(known.computeIfAbsent(key, _ -> target(one, job)));
            at[i] = (one.atMillis() - all.getFirst().atMillis()) * MILLI;
        }
        return new TraceTargets(targets, at);
    }

    static Path file(String path) {
        return Path.of(path.substring(WORD.length()));
    }

    private static Target target(TracedRequest request, LoadJob job) {
        Fields kept = request.fields();
        FieldList fields = new FieldList();
        for (int i = 0; i < kept.size(); i++) {
            fields.add(kept.name(i).toLowerCase(Locale.ROOT), kept.value(i));
        }
        if (!kept.contains("host")) {
            fields.add("host", "127.0.0.1:" + job.port());
        }
        return Target.traced(request.method(), request.target(), fields, request.status(), job);
    }
}
