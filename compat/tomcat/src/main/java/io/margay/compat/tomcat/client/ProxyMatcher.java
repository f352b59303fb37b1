package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import io.margay.server.regex.BoundedPattern;
import jakarta.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/// Tells proxies by address: blocks of addresses, or one regular expression. Immutable.
sealed interface ProxyMatcher {
    /// The addresses of this machine, as a list of blocks.
    String LOOPBACK = "127.0.0.0/8,::1";

    /// Those of this machine: who is believed unless others are listed.
    ProxyMatcher THIS_MACHINE = new Blocks(AddressList.parse(LOOPBACK));

    boolean matches(@Nullable String address);

    /// Nobody.
    record Nobody() implements ProxyMatcher {
        @Override
        public boolean matches(@Nullable String address) {
            return false;
        }
    }

    /// By block.
    record Blocks(AddressList blocks) implements ProxyMatcher {
        @Override
        public boolean matches(@Nullable String address) {
            return blocks.contains(address);
        }
    }

    /// By expression, for any way to write the address; what is not an address is matched as it
    /// stands.
    record Expression(BoundedPattern pattern) implements ProxyMatcher {
        @Override
        public boolean matches(@Nullable String address) {
            if (address == null) {
                return false;
            }
            return pattern.matches(address)
                    || AddressSpellings.of(address).stream().anyMatch(pattern::matches);
        }
    }

    /// A value with characters that only an expression has is one, any other is a list of blocks.
    ///
    /// @param absent when the parameter was not given or is empty
    static ProxyMatcher of(InitParams params, String name, ProxyMatcher absent)
            throws ServletException {
        String value = params.optional(name);
        if (value == null || value.isEmpty()) {
            return absent;
        }
        if (value.matches("[0-9a-fA-F:./, \\t\\r\\n]+")) {
            try {
                return new Blocks(AddressList.parse(value));
            } catch (IllegalArgumentException e) {
                throw params.wrong(name, String.valueOf(e.getMessage()));
            }
        }
        if (value.contains("${")) {
            throw params.wrong(name, "properties are not replaced here; write the value");
        }
        return new Expression(params.compile(name, value));
    }
}
