/// The Jakarta Servlet container.
module io.margay.servlet {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;
    requires transitive io.margay.server;
    requires transitive jakarta.servlet;
    requires com.zaxxer.hikari;
    requires jakarta.annotation;
    requires jakarta.websocket;
    requires jakarta.websocket.client;
    requires java.logging;
    requires transitive java.naming;
    requires transitive java.sql;
    requires java.xml;
    requires jdk.jfr;
    requires org.glassfish.tyrus.client;
    requires org.glassfish.tyrus.container.jdk.client;
    requires org.glassfish.tyrus.core;
    requires org.glassfish.tyrus.server;
    requires org.glassfish.tyrus.spi;
    requires org.jboss.jandex;
    requires org.mortbay.apache.jasper;

    exports io.margay.servlet;
    exports io.margay.servlet.deploy;
    exports io.margay.servlet.descriptor;
    exports io.margay.servlet.jsp;
    exports io.margay.servlet.naming;
    exports io.margay.servlet.naming.java;
    exports io.margay.servlet.realm;
    exports io.margay.servlet.resource;
    exports io.margay.servlet.security;
    exports io.margay.servlet.session;
    exports io.margay.servlet.session.engine;
    exports io.margay.servlet.settings;
    exports io.margay.servlet.xml;

    provides io.margay.servlet.session.engine.SessionEngineProvider with
            io.margay.servlet.session.jdbc.JdbcProvider;

    uses java.sql.Driver;
}
