/// Reads what is written for Apache Tomcat: `server.xml`, `META-INF/context.xml`, and Tomcat's
/// classes by name, for some of which filters stand here.
module io.margay.compat.tomcat {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;
    requires transitive io.margay.compat.account;
    requires transitive io.margay.servlet;
    requires transitive io.margay.transport;
    requires io.margay.protocol;
    requires io.margay.server;
    requires java.sql;
    requires java.xml;
    requires jakarta.el;
    requires jakarta.servlet.jsp;
    requires jakartaee.migration;

    exports io.margay.compat.tomcat.application;
    exports io.margay.compat.tomcat.client to
            io.margay.spring.boot;
    exports io.margay.compat.tomcat.base;
    exports io.margay.compat.tomcat.javax;
    exports io.margay.compat.tomcat.server;
}
