package io.margay.servlet.security;

import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/// Where users are kept. Thread-safe; a call may wait, for it runs on a thread that may.
public interface Realm {
    /// The user with this name and password, or null. Takes as long for a name that is not known as
    /// for a wrong password.
    @Nullable User authenticate(String name, String password);

    /// The user whom a certificate stands for, or null. That it is genuine has been checked.
    @Nullable User authenticate(X509Certificate certificate);
}
