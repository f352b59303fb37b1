package io.margay.server.exchange;

/// Who answered in place of this server, for the access log. Immutable.
///
/// @param upstream name of the group of servers
/// @param peer name of the one that was asked lastly
/// @param kept whether it was asked because the request's session belongs to it
public record Relay(String upstream, String peer, boolean kept) {}
