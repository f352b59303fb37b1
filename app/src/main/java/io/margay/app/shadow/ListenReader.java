package io.margay.app.shadow;

import io.margay.app.cli.UsageException;

/// Reads what stands for LISTEN in a command line.
@FunctionalInterface
public interface ListenReader {
    /// The address as a margay.yaml has it.
    ///
    /// @throws UsageException when it is none
    String read(String text) throws UsageException;
}
