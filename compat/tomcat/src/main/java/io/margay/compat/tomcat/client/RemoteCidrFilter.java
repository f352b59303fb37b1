package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.ServletException;

/// Lets clients in or keeps them out by blocks of addresses. Written by the starting thread, then
/// immutable.
public final class RemoteCidrFilter extends AccessFilter {
    @Override
    AccessRule rule(InitParams params) throws ServletException {
        return AccessRule.ofBlocks(params);
    }
}
