/// Wire formats as pure state machines: bytes in, values out, and back. No sockets, threads, clocks
/// or logging.
module io.margay.protocol {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;

    exports io.margay.protocol.ajp;
    exports io.margay.protocol.caching;
    exports io.margay.protocol.fastcgi;
    exports io.margay.protocol.form;
    exports io.margay.protocol.http;
    exports io.margay.protocol.http1;
    exports io.margay.protocol.http2;
    exports io.margay.protocol.http3;
    exports io.margay.protocol.multiplex;
    exports io.margay.protocol.quic;
    exports io.margay.protocol.quic.connection;
    exports io.margay.protocol.quic.packet;
    exports io.margay.protocol.quic.recovery;
    exports io.margay.protocol.quic.stream;
    exports io.margay.protocol.quic.tls;
    exports io.margay.protocol.signature;
    exports io.margay.protocol.trace;
}
