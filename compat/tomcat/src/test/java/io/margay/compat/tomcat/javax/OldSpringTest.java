package io.margay.compat.tomcat.javax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.compat.tomcat.application.AppServer;
import io.margay.testkit.Archives;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spring 2 and 3 take a Java that they do not know for an old one, unless they are converted.
@Tag("slow")
final class OldSpringTest {
    /// Asks as Spring's class of that name does.
    private static final String JDK_VERSION =
            """
            package org.springframework.core;
            public abstract class JdkVersion {
                public static final String VERSION = System.getProperty("java.version");
                public static String known() {
                    if (VERSION.indexOf("1.7.") != -1) {
                        return "7";
                    } else if (VERSION.indexOf("1.6.") != -1) {
                        return "6";
                    }
                    return VERSION.indexOf("1.5.") != -1 ? "5" : "1.4";
                }
            }
            """;

    private static final String SERVLET =
            """
            package p;
            import java.io.*;
            import javax.servlet.http.*;
            import org.springframework.core.JdkVersion;
            public class Version extends HttpServlet {
                @Override
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws IOException {
                    r.getWriter().print(JdkVersion.known() + " of " + JdkVersion.VERSION + " 1.7.");
                }
            }
            """;

    @TempDir Path temp;

    @Test
    void springThatKnowsNoLaterJava_takesItForTheLatestItKnows() {
        Path war =
                Archives.in(temp)
                        .classes(
                                "WEB-INF/classes/",
                                List.of(),
                                "org.springframework.core.JdkVersion",
                                JDK_VERSION,
                                "p.Version",
                                SERVLET)
                        .text(
                                "WEB-INF/web.xml",
                                """
                                <web-app version="2.5">
                                  <servlet>
                                    <servlet-name>v</servlet-name>
                                    <servlet-class>p.Version</servlet-class>
                                  </servlet>
                                  <servlet-mapping>
                                    <servlet-name>v</servlet-name><url-pattern>/v</url-pattern>
                                  </servlet-mapping>
                                </web-app>
                                """)
                        .to(temp.resolve("spring.war"));
        try (AppServer server =
                AppServer.start(war, "/app", temp.resolve("work"), UnaryOperator.identity())) {
            assertEquals(
                    "7 of " + System.getProperty("java.version") + " 1.7.",
                    server.get("/v").body());
        }
    }
}
