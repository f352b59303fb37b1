/// Members of upstreams that register in Valkey or Redis.
module io.margay.members.valkey {
    requires static org.jspecify;
    requires io.margay.gateway;
    requires io.margay.valkey;

    provides io.margay.gateway.discovery.MemberRegistryProvider with
            io.margay.members.valkey.ValkeyRegistryProvider;
}
