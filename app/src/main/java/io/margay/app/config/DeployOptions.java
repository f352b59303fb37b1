package io.margay.app.config;

/// How applications are deployed. Immutable.
///
/// @param errorDetails whether the default error page shows the exception
public record DeployOptions(boolean errorDetails) {
    /// No exception on a page: what an exception says is for the log.
    public static DeployOptions defaults() {
        return new DeployOptions(false);
    }
}
