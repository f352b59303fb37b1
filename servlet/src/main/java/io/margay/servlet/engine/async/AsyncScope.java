package io.margay.servlet.engine.async;

import io.margay.servlet.engine.dispatch.Dispatcher;
import io.margay.servlet.engine.request.RequestLife;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import org.jspecify.annotations.Nullable;

/// What the asynchronous side of a request asks of its cycle.
public interface AsyncScope extends RequestLife {
    /// Runs an asynchronous dispatch; called within a task.
    void serveAsync(Dispatcher dispatcher, ServletRequest with, ServletResponse and);

    /// Answers with an error page, or breaks off when the head has left.
    void showError(int status, @Nullable String message, @Nullable Throwable thrown);

    /// The same with the status that the failure stands for.
    void showFailure(Throwable thrown);

    /// Logs a failure: what a client brings about is no matter for operators.
    void logFailure(String what, Throwable thrown);

    /// Lets go of everything; the request's objects are unusable from now on.
    void end();
}
