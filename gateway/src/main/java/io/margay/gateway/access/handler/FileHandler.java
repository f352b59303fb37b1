package io.margay.gateway.access.handler;

import io.margay.gateway.rules.RuleAction;

/// What becomes of a request for a file. Immutable.
public sealed interface FileHandler {
    /// Of all files: their names decide.
    FileHandler BY_NAME = new ByName();

    /// It is sent.
    FileHandler FILE = new Sent();

    /// It is a program that is not run, and whose source is not sent.
    FileHandler PROGRAM = new Program();

    /// The names of files decide.
    record ByName() implements FileHandler {}

    /// It is sent.
    record Sent() implements FileHandler {}

    /// It is not.
    record Program() implements FileHandler {}

    /// It is run by an upstream, which is told which file it is.
    record Run(RuleAction.Forward by) implements FileHandler {}
}
