/// The Jakarta Servlet container.
module io.margay.servlet {
    requires static org.jspecify;
    requires transitive io.margay.server;
    requires transitive jakarta.servlet;

    exports io.margay.servlet;
    exports io.margay.servlet.descriptor;
    exports io.margay.servlet.resource;
    exports io.margay.servlet.session;
    exports io.margay.servlet.settings;
}
