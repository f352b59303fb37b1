package io.margay.servlet.deploy;

import org.jspecify.annotations.Nullable;

/// An application cannot be deployed. The message names the application, what is wrong and what to
/// do; it is complete without the cause.
public final class DeploymentException extends RuntimeException {
    public DeploymentException(String message) {
        super(message);
    }

    public DeploymentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
