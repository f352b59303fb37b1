/// What is kept in Valkey or Redis: sessions, registered members, what a group of servers shares.
module io.margay.valkey {
    requires static io.margay.gateway;
    requires io.margay.server;
    requires static io.margay.servlet;
    requires static org.jspecify;
    requires org.apache.commons.pool2;
    requires redis.clients.jedis;

    provides io.margay.gateway.discovery.MemberRegistryProvider with
            io.margay.valkey.members.ValkeyRegistryProvider;
    provides io.margay.server.shared.SharedStoreProvider with
            io.margay.valkey.shared.ValkeySharedProvider;
    provides io.margay.servlet.session.engine.SessionEngineProvider with
            io.margay.valkey.sessions.ValkeyProvider;
}
