package io.margay.packages;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/// The part of the JDK that a server of any web application needs, linked.
final class JavaRuntime {
    /// All of Java SE, and of the JDK's own modules those that applications, their drivers and
    /// whoever looks for a fault use: no compiler and no tools that need one.
    private static final String MODULES =
            String.join(
                    ",",
                    "java.se",
                    "jdk.charsets",
                    "jdk.crypto.cryptoki",
                    "jdk.dynalink",
                    "jdk.httpserver",
                    "jdk.jcmd",
                    "jdk.jdwp.agent",
                    "jdk.jfr",
                    "jdk.localedata",
                    "jdk.management",
                    "jdk.management.agent",
                    "jdk.management.jfr",
                    "jdk.naming.dns",
                    "jdk.naming.rmi",
                    "jdk.net",
                    "jdk.nio.mapmode",
                    "jdk.security.auth",
                    "jdk.security.jgss",
                    "jdk.unsupported",
                    "jdk.xml.dom",
                    "jdk.zipfs");

    private JavaRuntime() {}

    /// @param target takes the place of what is there
    static Path link(Path target) throws IOException, InterruptedException {
        Folders.run("rm", "-rf", target.toString());
        ToolProvider jlink = ToolProvider.findFirst("jlink").orElseThrow();
        StringWriter said = new StringWriter();
        PrintWriter output = new PrintWriter(said, true);
        int status =
                jlink.run(
                        output,
                        output,
                        "--add-modules",
                        MODULES,
                        "--strip-debug",
                        "--no-man-pages",
                        "--no-header-files",
                        "--compress",
                        "zip-6",
                        "--output",
                        target.toString());
        if (status != 0) {
            throw new IOException("jlink failed with " + status + ": " + said);
        }
        return target;
    }
}
