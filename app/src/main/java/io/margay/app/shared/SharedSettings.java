package io.margay.app.shared;

import io.soabase.recordbuilder.core.RecordBuilder;

/// The engine through which servers share, and what they share through it. Immutable; never shown
/// whole, for what is secret in it.
///
/// @param url where the engine is
/// @param key the secret of the group
/// @param group which servers share
/// @param node what others call this server; empty = the name of its machine
/// @param changes whether changes of members by hand hold at all of them
/// @param limits whether limits of hosts on requests are counted together
/// @param tickets whether sessions of TLS resume at all of them
/// @param certificates whether they have the certificates in common that authorities issue
@RecordBuilder
public record SharedSettings(
        String url,
        String key,
        String group,
        String node,
        boolean changes,
        boolean limits,
        boolean tickets,
        boolean certificates) {
    /// The group where nothing is said.
    public static final String GROUP_DEFAULT = "margay";

    /// The shortest key.
    public static final int KEY_CHARS_MIN = 32;

    @Override
    public String toString() {
        return "group " + group;
    }
}
