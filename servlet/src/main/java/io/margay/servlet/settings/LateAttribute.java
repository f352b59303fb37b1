package io.margay.servlet.settings;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An attribute of a context that is made when it is first asked for: the application never sees
/// this object. Thread-safe.
public final class LateAttribute {
    private final Supplier<?> maker;
    private @Nullable Object made;

    /// @param maker asked once, by the thread that asks first
    public LateAttribute(Supplier<?> maker) {
        this.maker = maker;
    }

    /// What an application sees of a value.
    public static @Nullable Object value(@Nullable Object attribute) {
        return attribute instanceof LateAttribute late ? late.value() : attribute;
    }

    private synchronized Object value() {
        Object value = made;
        if (value == null) {
            value = maker.get();
            made = value;
        }
        return value;
    }
}
