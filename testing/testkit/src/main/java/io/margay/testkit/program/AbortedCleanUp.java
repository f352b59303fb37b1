package io.margay.testkit.program;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/// A test that is skipped because what it needs is missing has nothing to clean up: what fails in
/// that is no failure of it. JUnit finds this as a service.
public final class AbortedCleanUp implements LifecycleMethodExecutionExceptionHandler {
    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable thrown)
            throws Throwable {
        throwUnlessAborted(context, thrown);
    }

    @Override
    public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable thrown)
            throws Throwable {
        throwUnlessAborted(context, thrown);
    }

    private static void throwUnlessAborted(ExtensionContext context, Throwable thrown)
            throws Throwable {
        if (!(context.getExecutionException().orElse(null) instanceof TestAbortedException)) {
            throw thrown;
        }
    }
}
