package io.margay.servlet.naming;

import org.jspecify.annotations.Nullable;

/// The class loader of an application, by which the names that its threads look up are told from
/// those of other applications. Thread-safe.
public interface NamedLoader {
    /// The application's names; null = it has none, or has ended.
    @Nullable Naming naming();
}
