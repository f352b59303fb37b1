package io.margay.lab.site;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// The lab's own small application: the heartbeat page as a servlet, and a servlet that reads what
/// it is sent and writes as much as it is asked for. Compiled for a run from one source, for
/// `jakarta.servlet` or `javax.servlet`. Stateless.
public final class LabApp {
    private static final String SOURCE = "LabServlet.txt";
    private static final String NAME = "LabServlet";

    private static final String DESCRIPTOR =
            """
            <web-app xmlns="http://java.sun.com/xml/ns/javaee" version="3.0">
              <servlet>
                <servlet-name>lab</servlet-name>
                <servlet-class>LabServlet</servlet-class>
              </servlet>
              <servlet-mapping>
                <servlet-name>lab</servlet-name>
                <url-pattern>/servlet</url-pattern>
                <url-pattern>/traffic</url-pattern>
                <url-pattern>/sleep</url-pattern>
                <url-pattern>/cpu</url-pattern>
                <url-pattern>/hog</url-pattern>
                <url-pattern>/onepath</url-pattern>
                <url-pattern>/session/*</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    private LabApp() {}

    /// Makes the application for servers of `jakarta.servlet`.
    ///
    /// @param target its folder
    public static void make(Path target) throws IOException {
        String api =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(it -> it.contains("servlet-api"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("no servlet API on the class path"));
        make(target, source(), api, Runtime.version().feature());
    }

    /// Makes it for servers of `javax.servlet`.
    ///
    /// @param api the jar with that package
    public static void makeJavax(Path target, Path api) throws IOException {
        make(target, source().replace("jakarta.servlet", "javax.servlet"), api.toString(), 8);
    }

    private static void make(Path target, String source, String api, int release)
            throws IOException {
        Path inside = Files.createDirectories(target.resolve("WEB-INF"));
        JavaCompiler.compile(NAME, source, api, release, inside.resolve("classes"));
        Files.writeString(inside.resolve("web.xml"), DESCRIPTOR);
    }

    private static String source() throws IOException {
        try (InputStream in = LabApp.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new IOException(SOURCE + " is missing from the lab's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
