/// Moving bytes: listeners, connections, timers and TLS on three interchangeable transports.
module io.margay.transport {
    requires static java.management;
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;

    exports io.margay.transport;
    exports io.margay.transport.factory;
    exports io.margay.transport.handover;
    exports io.margay.transport.memory;
    exports io.margay.transport.quic;
    exports io.margay.transport.unix;
}
