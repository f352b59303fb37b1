package io.margay.protocol.ajp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a front end says about a request beside its head. Immutable once built.
public final class AjpAttributes {
    /// The key size was not given.
    public static final int NO_KEY_BITS = -1;

    /// No attributes at all.
    public static final AjpAttributes EMPTY = new Builder().build();

    private final @Nullable String[] coded;
    private final int keyBits;
    private final Map<String, String> named;

    private AjpAttributes(@Nullable String[] coded, int keyBits, Map<String, String> named) {
        this.coded = coded;
        this.keyBits = keyBits;
        this.named = named;
    }

    /// The value of an attribute that has its own code, or null.
    public @Nullable String get(AjpAttribute attribute) {
        return coded[attribute.code()];
    }

    /// The value of a named attribute (`req_attribute`), or null.
    public @Nullable String named(String name) {
        return named.get(name);
    }

    /// The names of the named attributes, in order.
    public Set<String> names() {
        return named.keySet();
    }

    /// Key length of the TLS cipher in bits, or [#NO_KEY_BITS].
    public int keyBits() {
        return keyBits;
    }

    /// Names, never values: one of them is the secret.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("AjpAttributes[");
        for (AjpAttribute attribute : AjpAttribute.values()) {
            if (get(attribute) != null) {
                text.append(attribute).append(' ');
            }
        }
        return text.append(named.keySet()).append(']').toString();
    }

    /// Collects attributes. Confined to one thread.
    public static final class Builder {
        private final @Nullable String[] coded = new @Nullable String[AjpAttribute.CODES];
        private int keyBits = NO_KEY_BITS;
        private Map<String, String> named = Map.of();

        /// A builder without attributes.
        public Builder() {}

        /// Sets an attribute that has its own code; null removes it.
        public Builder set(AjpAttribute attribute, @Nullable String value) {
            coded[attribute.code()] = value;
            return this;
        }

        /// Sets a named attribute.
        public Builder set(String name, String value) {
            if (named.isEmpty()) {
                named = new LinkedHashMap<>();
            }
            named.put(name, value);
            return this;
        }

        /// Sets the key length of the TLS cipher in bits, 0 to 65535.
        public Builder keyBits(int bits) {
            keyBits = bits;
            return this;
        }

        boolean has(AjpAttribute attribute) {
            return coded[attribute.code()] != null;
        }

        boolean has(String name) {
            return named.containsKey(name);
        }

        boolean hasKeyBits() {
            return keyBits != NO_KEY_BITS;
        }

        @Nullable String get(AjpAttribute attribute) {
            return coded[attribute.code()];
        }

        /// The attributes; the builder must not be used afterwards.
        public AjpAttributes build() {
            return new AjpAttributes(coded, keyBits, named);
        }
    }
}
