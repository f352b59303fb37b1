package io.margay.lab.trace;

import io.margay.protocol.trace.AccessLogLine;
import io.margay.protocol.trace.TraceFormat;
import io.margay.protocol.trace.TracedRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The requests of a file that can be sent again, in the order in which they came. Immutable.
///
/// @param requests GET and HEAD, without content, cookies and credentials
/// @param leftOut requests of the file that are not among them: other methods, other hosts, and
///   what is beyond the limit
/// @param malformed lines that are not requests
public record Trace(List<TracedRequest> requests, long leftOut, long malformed) {
    /// More are left out: a trace is held in memory.
    static final int REQUESTS_MAX = 200_000;

    private static final int SECOND = 1_000;

    /// A line of a file that is looked at to see what it is.
    private static final int FIRST_CHARS = 4_096;

    public Trace {
        requests = List.copyOf(requests);
    }

    /// Reads a trace, an access log, or a HAR that a browser has saved; which one, its beginning
    /// tells.
    ///
    /// @throws IOException when it cannot be read, or nothing in it can be sent
    public static Trace read(Path file) throws IOException {
        String first = beginning(file);
        Trace read =
                first.startsWith("{")
                        ? Har.read(Files.readString(file))
                        : lines(file, first.startsWith("#"));
        if (read.requests.isEmpty()) {
            throw new IOException(
                    file
                            + " has no GET or HEAD request: it is read as a trace of \"margay"
                            + " shadow --record\", as an access log in the common or combined"
                            + " format, or as a HAR");
        }
        return read;
    }

    private static String beginning(Path file) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            char[] first = new char[FIRST_CHARS];
            int count = in.read(first);
            return new String(first, 0, Math.max(0, count))
                    .replace("\u00ef\u00bb\u00bf", "") // A byte order mark.
                    .stripLeading();
        }
    }

    private static Trace lines(Path file, boolean own) throws IOException {
        Collector all = new Collector();
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                try {
                    all.add(own ? TraceFormat.read(line) : AccessLogLine.read(line));
                } catch (IllegalArgumentException e) {
                    all.malformed++;
                }
            }
        }
        return all.trace(!own);
    }

    /// How long it took when it was written down.
    public long millis() {
        return requests.getLast().atMillis() - requests.getFirst().atMillis();
    }

    /// What it is, in words.
    public String words() {
        return "%,d requests of %.0f s%s%s"
                .formatted(
                        requests.size(),
                        Math.max(1, millis() / (double) SECOND),
                        leftOut > 0 ? ", %,d left out".formatted(leftOut) : "",
                        malformed > 0 ? ", %,d lines not understood".formatted(malformed) : "");
    }

    /// Collects requests. Confined to one reading.
    static final class Collector {
        private final List<TracedRequest> requests = new ArrayList<>();
        private long leftOut;
        private long malformed;

        void add(@Nullable TracedRequest request) {
            if (request == null) {
                return;
            }
            if (request.isRepeatable() && requests.size() < REQUESTS_MAX) {
                requests.add(request);
            } else {
                leftOut++;
            }
        }

        void leaveOut() {
            leftOut++;
        }

        /// @param spread whether times are whole seconds: requests of one are spread over it
        Trace trace(boolean spread) {
            requests.sort(Comparator.comparingLong(TracedRequest::atMillis));
            return new Trace(spread ? spread(requests) : requests, leftOut, malformed);
        }

        private static List<TracedRequest> spread(List<TracedRequest> all) {
            List<TracedRequest> made = new ArrayList<>();
            for (int from = 0; from < all.size(); ) {
                int to = from;
                long at = all.get(from).atMillis();
                while (to < all.size() && all.get(to).atMillis() == at) {
                    to++;
                }
                for (int i = from; i < to; i++) {
                    TracedRequest one = all.get(i);
                    made.add(
                            new TracedRequest(
                                    at + (long) SECOND * (i - from) / (to - from),
                                    one.method(),
                                    one.target(),
                                    one.status(),
                                    one.fields()));
                }
                from = to;
            }
            return made;
        }
    }
}
