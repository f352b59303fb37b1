/// Sessions in Valkey or Redis.
module io.margay.sessions.valkey {
    requires static org.jspecify;
    requires io.margay.servlet;
    requires io.margay.valkey;

    provides io.margay.servlet.session.engine.SessionEngineProvider with
            io.margay.sessions.valkey.ValkeyProvider;
}
