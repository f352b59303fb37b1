/// A server and its servlet container inside a program.
module io.margay.embed {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;
    requires transitive io.margay.servlet;
    requires transitive io.margay.server;
    requires transitive io.margay.transport;

    exports io.margay.embed;
}
