package io.margay.app.shadow;

import io.margay.app.cli.UsageException;
import io.margay.app.config.MargayConfig;
import io.margay.compat.account.AccountLine;
import io.margay.compat.account.Meeting;
import io.margay.compat.account.TouchedLines;
import io.margay.gateway.mirror.Shadow;
import io.margay.protocol.trace.AccessLogLine;
import io.margay.protocol.trace.TraceFormat;
import io.margay.protocol.trace.TracedRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The configuration of an old server. Immutable.
///
/// @param account what has become of each line of it
/// @param meeting which of the lines requests meet
/// @param fresh makes of it the configuration of a new server
/// @param work where "margay tomcat" keeps sessions and converted classes; null = these are files
///   of a front end
public record OldConfig(
        List<AccountLine> account, Meeting meeting, Fresh fresh, @Nullable Path work) {
    /// The new server beside an old one.
    @FunctionalInterface
    public interface Fresh {
        /// Its configuration, with one listener, at a free port of the loopback.
        ///
        /// @param scheme by which the old server is asked, as the new one is
        /// @param port of the old server
        /// @throws UsageException when the files have no such listener
        MargayConfig at(String scheme, int port) throws UsageException;
    }

    public OldConfig {
        account = List.copyOf(account);
    }

    /// What requests have met of it.
    ///
    /// @param trace the requests
    /// @param port at which the old server has got them
    Shadow.Chapter touched(Path trace, int port) throws IOException {
        TouchedLines lines = new TouchedLines(account, meeting.at(port));
        if (Files.exists(trace)) {
            read(
                    trace,
                    one -> {
                        String host = one.fields().get("host");
                        lines.add(host == null ? "" : host, one.target());
                    });
        }
        return new Shadow.Chapter(
                "The old configuration, and how many requests have met each line", lines.lines());
    }

    /// Reads the requests of a trace or an access log; other lines are passed over.
    static void read(Path file, Consumer<TracedRequest> each) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            boolean own = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                own |= line.equals(TraceFormat.HEAD);
                TracedRequest request = request(line, own);
                if (request != null) {
                    each.accept(request);
                }
            }
        }
    }

    private static @Nullable TracedRequest request(String line, boolean own) {
        try {
            return own ? TraceFormat.read(line) : AccessLogLine.read(line);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
