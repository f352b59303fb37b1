package io.margay.server.http3;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Where a datagram comes from, and what is known of its way.
///
/// @param local the address that it was sent to; a wildcard where that is not known
/// @param ecn its mark: 0 none, 1 ECT(1), 2 ECT(0), 3 congestion
record Origin(InetSocketAddress peer, InetAddress local, int ecn) {}
