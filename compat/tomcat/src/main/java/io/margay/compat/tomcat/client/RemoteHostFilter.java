package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import java.util.List;

/// Lets clients in or keeps them out by a regular expression for their host name, which is their
/// address where names are not looked up. Written by the starting thread, then immutable.
public final class RemoteHostFilter extends AccessFilter {
    @Override
    AccessRule rule(InitParams params) throws ServletException {
        return AccessRule.ofPatterns(params);
    }

    @Override
    List<String> spellings(ServletRequest request) {
        String host = request.getRemoteHost();
        return host == null || host.isEmpty() ? List.of() : List.of(host);
    }
}
