/// Reads the configuration of nginx.
module io.margay.compat.nginx {
    requires static org.jspecify;
    requires transitive io.margay.compat.account;
    requires transitive io.margay.gateway;

    exports io.margay.compat.nginx;
    exports io.margay.compat.nginx.plan;
}
