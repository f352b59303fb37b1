package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.ServletException;

/// Lets clients in or keeps them out by a regular expression for their address. Written by the
/// starting thread, then immutable.
///
/// An address is tried in full and in short: `::1` and `0:0:0:0:0:0:0:1` are one.
public final class RemoteAddrFilter extends AccessFilter {
    @Override
    AccessRule rule(InitParams params) throws ServletException {
        return AccessRule.ofPatterns(params);
    }
}
