package io.margay.servlet.inject;

/// The class loader of an application, by which its beans are found. Thread-safe.
public interface BeanLoader {
    /// The application's beans.
    Beans beans();
}
