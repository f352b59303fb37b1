package io.margay.servlet.settings;

import org.jspecify.annotations.Nullable;

/// Lets pages be compiled that were written for an older API: what they see of the API, and what
/// becomes of the classes that are compiled so. Thread-safe.
public interface PageClasses {
    /// A class of the Jakarta APIs as pages are compiled against it.
    ///
    /// @param name of its file, such as `jakarta/servlet/Servlet.class`
    /// @param file as the container has it; null = it has none
    /// @return null when there is none
    byte @Nullable [] seen(String name, byte @Nullable [] file);

    /// A compiled class as it is to be loaded.
    byte[] compiled(byte[] file);
}
