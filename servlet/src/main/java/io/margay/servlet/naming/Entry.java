package io.margay.servlet.naming;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a name leads to.
sealed interface Entry {
    /// Further names. Filled while the application is deployed, read by all afterwards.
    record Folder(Map<String, Entry> entries) implements Entry {
        Folder() {
            this(new TreeMap<>());
        }
    }

    /// An object, there from the beginning.
    record Value(Object object) implements Entry {}

    /// An object that is made when it is asked for.
    record Made(Resource resource) implements Entry {}

    /// An object that the application itself provides, once it has started; null until then.
    record Late(String className, Supplier<@Nullable Object> object) implements Entry {}

    /// Another name, from the root.
    record Link(String name) implements Entry {}

    /// A name that is declared though nothing is behind it.
    record Missing(String why) implements Entry {}
}
