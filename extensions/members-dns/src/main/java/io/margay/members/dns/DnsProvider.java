package io.margay.members.dns;

import io.margay.gateway.discovery.NameService;
import io.margay.gateway.discovery.NameServiceProvider;
import java.net.InetSocketAddress;
import java.util.List;

/// Asks the servers of the DNS.
public final class DnsProvider implements NameServiceProvider {
    @Override
    public NameService open(List<InetSocketAddress> servers) {
        return new DnsNameService(servers, DnsLimits.defaults());
    }
}
