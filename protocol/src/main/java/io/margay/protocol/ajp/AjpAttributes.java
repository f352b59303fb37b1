package io.margay.protocol.ajp;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a front end says about a request beside its head. Immutable once built.
public final class AjpAttributes {
    /// The key size was not given.
    public static final int NO_KEY_BITS = -1;

    private static final String[] NONE = {};

    /// Room for the names and values of three attributes, as many as Margay's gateway sends.
    private static final int NAMED_USUAL = 6;

    /// No attributes at all.
    public static final AjpAttributes EMPTY = new Builder().build();

    private final @Nullable String[] coded;
    private final int keyBits;

    /// Names and values in turn: so few that they are looked through.
    private final String[] named;

    private final int namedCount;

    private AjpAttributes(@Nullable String[] coded, int keyBits, String[] named, int namedCount) {
        this.coded = coded;
        this.keyBits = keyBits;
        this.named = named;
        this.namedCount = namedCount;
    }

    /// The value of an attribute that has its own code, or null.
    public @Nullable String get(AjpAttribute attribute) {
        return coded[attribute.code()];
    }

    /// The value of a named attribute (`req_attribute`), or null.
    public @Nullable String named(String name) {
        int index = indexOf(named, namedCount, name);
        return index < 0 ? null : namedValue(index);
    }

    private static int indexOf(String[] named, int count, String name) {
        for (int i = 0; i < count; i++) {
            if (named[2 * i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /// The number of named attributes.
    public int namedCount() {
        return namedCount;
    }

    /// The name of the named attribute `index`.
    public String namedName(int index) {
        return named[2 * index];
    }

    /// The value of the named attribute `index`.
    public String namedValue(int index) {
        return named[2 * index + 1];
    }

    /// The names of the named attributes, in order.
    public Set<String> names() {
        Set<String> names = LinkedHashSet.newLinkedHashSet(namedCount);
        for (int i = 0; i < namedCount; i++) {
            names.add(namedName(i));
        }
        return names;
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
        return text.append(names()).append(']').toString();
    }

    /// Collects attributes. Confined to one thread.
    public static final class Builder {
        private final @Nullable String[] coded = new @Nullable String[AjpAttribute.CODES];
        private int keyBits = NO_KEY_BITS;
        private String[] named = NONE;
        private int namedCount;

        /// A builder without attributes.
        public Builder() {}

        /// Sets an attribute that has its own code; null removes it.
        public Builder set(AjpAttribute attribute, @Nullable String value) {
            coded[attribute.code()] = value;
            return this;
        }

        /// Sets a named attribute.
        public Builder set(String name, String value) {
            int index = indexOf(named, namedCount, name);
            if (index >= 0) {
                named[2 * index + 1] = value;
                return this;
            }
            if (2 * namedCount == named.length) {
                named = Arrays.copyOf(named, Math.max(NAMED_USUAL, named.length * 2));
            }
            named[2 * namedCount] = name;
            named[2 * namedCount + 1] = value;
            namedCount++;
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
            return indexOf(named, namedCount, name) >= 0;
        }

        boolean hasKeyBits() {
            return keyBits != NO_KEY_BITS;
        }

        @Nullable String get(AjpAttribute attribute) {
            return coded[attribute.code()];
        }

        /// The attributes; the builder must not be used afterwards.
        public AjpAttributes build() {
            return new AjpAttributes(coded, keyBits, named, namedCount);
        }
    }
}
