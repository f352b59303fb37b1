/// Reads the configuration of Apache httpd and of its module mod_jk.
module io.margay.compat.httpd {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;
    requires transitive io.margay.compat.account;
    requires transitive io.margay.gateway;

    exports io.margay.compat.httpd;
    exports io.margay.compat.httpd.plan;
}
