package io.margay.lab;

/// The lab cannot do what it was asked to; the message says why, and what would help.
public final class LabException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean usage;

    private LabException(String message, Throwable cause, boolean usage) {
        super(message, cause);
        this.usage = usage;
    }

    /// What was typed is wrong.
    static LabException usage(String message) {
        return new LabException(message, new IllegalArgumentException(message), true);
    }

    /// @throws LabException if the value of an option is less than what makes sense
    static void unlessAtLeast(String option, double value, double least) {
        if (!(value >= least)) {
            throw usage("%s is at least %.0f".formatted(option, least));
        }
    }

    /// Something failed.
    static LabException failed(String message, Throwable cause) {
        return new LabException(message, cause, false);
    }

    /// Whether what was typed is wrong.
    public boolean isUsage() {
        return usage;
    }
}
