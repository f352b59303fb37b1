package io.margay.spring.boot;

import org.springframework.boot.web.server.WebServer;

/// What the tests of both kinds of servers need.
final class Adapter {
    private Adapter() {}

    /// Has servers move bytes as the run of the tests is told to.
    static MargayBuilderCustomizer transport() {
        return builder -> builder.transport(System.getProperty("margay.tck.transport", "nio"));
    }

    /// The tests know the names of three other servers.
    static String startedMessage(WebServer server) {
        return ((MargayWebServer) server).startedMessage().replaceFirst("^Margay ", "Tomcat ");
    }
}
