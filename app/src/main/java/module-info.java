/// The composition root: builder, file format, command line.
module io.margay.app {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.commonmark;
    requires static org.commonmark.ext.gfm.tables;
    requires static org.jspecify;
    requires java.logging;
    requires java.management;
    requires jdk.jfr;
    requires java.net.http;
    requires java.sql;
    requires jdk.management;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.jr.ob;
    requires org.snakeyaml.engine;
    requires io.margay.compat.httpd;
    requires io.margay.compat.nginx;
    requires io.margay.compat.tomcat;
    requires static io.prometheus.metrics.model;
    requires static io.prometheus.writer.text;
    requires transitive io.margay.transport;
    requires transitive io.margay.gateway;
    requires transitive io.margay.server;
    requires transitive io.margay.servlet;
    requires io.margay.protocol;

    uses io.margay.gateway.discovery.MemberRegistryProvider;
    uses io.margay.server.acme.AcmeClientProvider;
    uses io.margay.server.acme.StapleClientProvider;
    uses io.margay.server.shared.SharedStoreProvider;
    uses io.margay.servlet.session.engine.SessionEngineProvider;

    exports io.margay.app;
    exports io.margay.app.config;
    exports io.margay.app.logging to
            java.logging; // makes its LogManager
    exports io.margay.app.yaml;
}
