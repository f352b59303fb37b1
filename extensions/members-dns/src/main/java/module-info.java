/// Members of upstreams from the DNS.
module io.margay.members.dns {
    requires static org.jspecify;
    requires io.margay.gateway;
    requires org.dnsjava;

    provides io.margay.gateway.discovery.NameServiceProvider with
            io.margay.members.dns.DnsProvider;
}
