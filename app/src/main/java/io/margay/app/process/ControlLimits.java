package io.margay.app.process;

/// What the socket of commands takes. Immutable.
///
/// @param clientsMax commands that are answered at the same time; further ones wait
public record ControlLimits(int clientsMax) {
    public ControlLimits {
        if (clientsMax < 1) {
            throw new IllegalArgumentException("clientsMax must be at least 1");
        }
    }

    /// 8 commands.
    public static ControlLimits defaults() {
        return new ControlLimits(8);
    }
}
