package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Blocks of IP addresses. Immutable.
final class AddressList {
    private final List<AddressBlock> blocks;

    private AddressList(List<AddressBlock> blocks) {
        this.blocks = List.copyOf(blocks);
    }

    /// Blocks and addresses between commas, at least one.
    ///
    /// @throws IllegalArgumentException with a text safe to show
    static AddressList parse(String text) {
        List<AddressBlock> blocks = new ArrayList<>();
        for (String piece : text.split(",", -1)) {
            blocks.add(AddressBlock.parse(piece.strip()));
        }
        return new AddressList(blocks);
    }

    /// The list that a parameter holds, null when it was not given.
    static @Nullable AddressList of(InitParams params, String name) throws ServletException {
        String value = params.optional(name);
        if (value == null) {
            return null;
        }
        try {
            return parse(value);
        } catch (IllegalArgumentException e) {
            throw params.wrong(name, String.valueOf(e.getMessage()));
        }
    }

    boolean contains(@Nullable String address) {
        byte[] bytes = address == null ? null : AddressBlock.literal(withoutZone(address));
        return bytes != null && contains(bytes);
    }

    boolean contains(byte[] address) {
        for (AddressBlock block : blocks) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /// `fe80::1` of `fe80::1%eth0`: the zone tells an interface, not an address.
    static String withoutZone(String address) {
        int percent = address.indexOf('%');
        return percent < 0 ? address : address.substring(0, percent);
    }
}
