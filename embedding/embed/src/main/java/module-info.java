/// A server and its servlet container inside a program.
module io.margay.embed {
    requires static org.jspecify;
    requires transitive io.margay.servlet;
    requires transitive io.margay.server;
    requires transitive io.margay.transport;

    exports io.margay.embed;
}
