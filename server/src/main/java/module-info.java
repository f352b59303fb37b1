/// Where bytes and messages meet: exchanges, connections, hosts, files, logs.
module io.margay.server {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;
    requires transitive io.margay.protocol;
    requires transitive io.margay.transport;
    requires transitive java.naming;
    requires jdk.jfr;

    exports io.margay.server;
    exports io.margay.server.acme;
    exports io.margay.server.compression;
    exports io.margay.server.config;
    exports io.margay.server.directory;
    exports io.margay.server.dispatch;
    exports io.margay.server.exchange;
    exports io.margay.server.files;
    exports io.margay.server.forwarded;
    exports io.margay.server.handover;
    exports io.margay.server.host;
    exports io.margay.server.log;
    exports io.margay.server.meter;
    exports io.margay.server.regex;
    exports io.margay.server.shared;
    exports io.margay.server.sight;
    exports io.margay.server.steps;
    exports io.margay.server.telemetry;
    exports io.margay.server.timing;
    exports io.margay.server.users;

    uses io.margay.server.telemetry.TelemetryProvider;
}
