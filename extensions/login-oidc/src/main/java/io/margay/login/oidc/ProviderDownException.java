package io.margay.login.oidc;

/// A provider does not answer, or not what it should: nobody can log in there for now.
final class ProviderDownException extends Exception {
    ProviderDownException(String message, Throwable cause) {
        super(message, cause);
    }

    ProviderDownException(String message) {
        super(message);
    }
}
