package io.margay.acme;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs a command that sets or removes a TXT record. Its words are those of the configuration; what
/// the authority says comes by the environment, never through a shell. Immutable.
///
/// @param words the program and its arguments
/// @param output file that has what it writes added
/// @param timeout after which it is ended
record DnsCommand(List<String> words, Path output, Duration timeout) {
    /// Runs it to its end.
    ///
    /// @throws IOException when it cannot be run, fails, or takes too long
    void run(String domain, String record, String value) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("MARGAY_DOMAIN", domain);
        builder.environment().put("MARGAY_RECORD", record);
        builder.environment().put("MARGAY_VALUE", value);
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        Process process = builder.start();
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        words.getFirst() + " has taken longer than " + timeout.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException(
                        words.getFirst()
                                + " has ended with code "
                                + process.exitValue()
                                + "; what it says stands in "
                                + output);
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
