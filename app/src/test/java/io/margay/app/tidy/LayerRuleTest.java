package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Compiles small classes that break the layer rules, and some that keep them.
final class LayerRuleTest {
    @TempDir Path classes = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "PROTOCOL_KNOWS_NONE_OF_OURS, protocol.http, server.files",
        "TRANSPORT_KNOWS_NONE_OF_OURS, transport.nio, protocol.http",
        "SERVER_KNOWS_TRANSPORT_AND_PROTOCOL, server.files, servlet.session",
        "SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP, servlet.session, transport.nio",
        "SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP, servlet, server.connection",
        "SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP, servlet, protocol.http1",
        "EMBED_KNOWS_SERVLET_AND_BELOW, embed, gateway",
        "SPRING_STARTER_KNOWS_EMBED_AND_BELOW, spring.boot, gateway",
        "JUNIT_KNOWS_EMBED, junit, servlet",
        "MAVEN_PLUGIN_KNOWS_APP, maven, servlet",
        "GATEWAY_KNOWS_SERVER_AND_BELOW, gateway, servlet",
        "GATEWAY_KNOWS_SERVER_AND_BELOW, gateway, compat.httpd",
        "ACCOUNT_KNOWS_NONE_OF_OURS, compat.account, gateway",
        "HTTPD_READER_KNOWS_GATEWAY_AND_BELOW, compat.httpd, servlet",
        "HTTPD_READER_KNOWS_GATEWAY_AND_BELOW, compat.httpd, compat.tomcat",
        "NGINX_READER_KNOWS_GATEWAY_AND_BELOW, compat.nginx, compat.httpd",
        "SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP, servlet, compat.tomcat",
        "TOMCAT_READER_KNOWS_SERVLET_AND_BELOW, compat.tomcat, gateway",
        "LAB_KNOWS_PROTOCOL_AND_TRANSPORT, lab, server",
        "NOTHING_KNOWS_LAB, app, lab",
        "TESTKIT_KNOWS_NONE_OF_OURS, testkit, protocol.http",
        "NOTHING_SHIPPED_KNOWS_TESTKIT, app, testkit",
    })
    void module_thatUsesAForbiddenOne_breaksTheRule(LayerRule rule, String user, String used) {
        compile(uses(user, used), plain(used));
        assertTrue(breaks(rule));
    }

    @ParameterizedTest
    @CsvSource({
        "SERVER_KNOWS_TRANSPORT_AND_PROTOCOL, server.connection, transport.nio",
        "SERVER_KNOWS_TRANSPORT_AND_PROTOCOL, server, protocol.http1",
        "SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP, servlet.session, server.exchange",
        "SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP, servlet, server.files",
        "SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP, servlet, protocol.http",
        "SERVLET_KNOWS_EXCHANGES_FILES_AND_HTTP, servlet, servlet.session",
        "NOTHING_SHIPPED_KNOWS_TESTKIT, app, servlet",
    })
    void module_thatUsesAnAllowedOne_keepsTheRule(LayerRule rule, String user, String used) {
        compile(uses(user, used), plain(used));
        assertFalse(breaks(rule));
    }

    @Test
    void modules_thatUseEachOther_breakTheRule() {
        compile(uses("app", "servlet"), uses("servlet", "app"));
        assertTrue(breaks(LayerRule.MODULES_FORM_NO_CYCLE));
    }

    @Test
    void packages_thatUseEachOther_areACircle() {
        compile(
                uses("server", "server.files"),
                uses("server.files", "server.log"),
                uses("server.log", "server"),
                uses("server.host", "server"));
        assertEquals(
                List.of(Set.of("server", "server.files", "server.log")),
                PackageCircles.of(new ClassFileImporter().importPath(classes)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new java.net.Socket()",
                "java.net.URL.of(java.net.URI.create(s), null)",
                "java.nio.channels.SocketChannel.open()",
                "java.nio.file.Path.of(s)",
                "new java.io.FileInputStream(s)",
                "System.out.append(s)",
                "Thread.currentThread()",
                "new ThreadLocal<String>()",
                "new java.util.concurrent.locks.ReentrantLock()",
                "new java.util.concurrent.ConcurrentHashMap<String, String>()",
                "java.time.Clock.systemUTC()",
                "System.getLogger(s).getName()",
                "java.util.logging.Logger.getLogger(s)",
                "new java.util.Date()"
            })
    void protocol_withAnImpureType_breaksTheRule(String expression) {
        compile(protocolThat(expression));
        assertTrue(breaks(LayerRule.PROTOCOL_USES_PURE_TYPES));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.nanoTime()",
                "System.currentTimeMillis()",
                "System.getProperty(s)",
                "System.getLogger(s)",
                "java.time.Instant.now()",
                "java.time.ZonedDateTime.now()",
                "Math.random()",
                "new java.util.Random()",
                "java.net.InetAddress.getByName(s)"
            })
    void protocol_withAnImpureCall_breaksTheRule(String expression) {
        compile(protocolThat(expression));
        assertTrue(breaks(LayerRule.PROTOCOL_CALLS_PURE_METHODS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.nio.ByteBuffer.allocate(4).getInt()",
                "new java.util.ArrayList<int[]>()",
                "java.time.Duration.ofSeconds(5)",
                "s.getBytes(java.nio.charset.StandardCharsets.US_ASCII)",
                "java.util.stream.Stream.of(s).map(t -> t + s).toList()",
                "switch ((Object) s) { case String t -> t + 1; default -> new int[0]; }"
            })
    void protocol_withPureCode_keepsTheRules(String expression) {
        compile(protocolThat(expression));
        assertFalse(breaks(LayerRule.PROTOCOL_USES_PURE_TYPES));
        assertFalse(breaks(LayerRule.PROTOCOL_CALLS_PURE_METHODS));
    }

    @Test
    void protocol_withASynchronizedMethod_breaksTheRule() {
        compile(source("protocol", "synchronized void run() {}"));
        assertTrue(breaks(LayerRule.PROTOCOL_HAS_NO_SYNCHRONIZED_METHODS));
    }

    private boolean breaks(LayerRule rule) {
        var imported = new ClassFileImporter().importPath(classes);
        return rule.rule().evaluate(imported).hasViolation();
    }

    private static JavaFileObject protocolThat(String expression) {
        var body = "Object run(String s) throws Exception { return " + expression + "; }";
        return source("protocol.http", body);
    }

    private static JavaFileObject plain(String name) {
        return source(name, "");
    }

    private static JavaFileObject uses(String user, String used) {
        return source(user, "Object run() { return new io.margay." + used + ".Thing(); }");
    }

    /// The class `Thing` with `body` in the package `name` of Margay.
    private static JavaFileObject source(String name, String body) {
        var text = "package io.margay." + name + "; public class Thing { " + body + " }";
        var path = "string:///io/margay/" + name.replace('.', '/') + "/Thing.java";
        return new SimpleJavaFileObject(URI.create(path), Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }

    private void compile(JavaFileObject... sources) {
        var output = new StringWriter();
        // An empty class path: the classes of this project are not meant by these names.
        var options = List.of("-d", classes.toString(), "-classpath", classes.toString());
        boolean done =
                ToolProvider.getSystemJavaCompiler()
                        .getTask(output, null, null, options, null, Arrays.asList(sources))
                        .call();
        assertEquals("", output.toString());
        assertTrue(done);
    }
}
