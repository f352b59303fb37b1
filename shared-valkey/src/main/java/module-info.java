/// What a group of servers shares, in Valkey or Redis.
module io.margay.shared.valkey {
    requires static org.jspecify;
    requires io.margay.server;
    requires io.margay.valkey;

    provides io.margay.server.shared.SharedStoreProvider with
            io.margay.shared.valkey.ValkeySharedProvider;
}
