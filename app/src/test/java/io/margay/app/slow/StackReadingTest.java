package io.margay.app.slow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Stacks of threads that no test can bring about at will, such as a store of sessions that answers
/// late.
final class StackReadingTest {
    private static final StackTraceElement[] CONTAINER = {
        frame("com.example.Cart.show"),
        frame("jakarta.servlet.http.HttpServlet.service"),
        frame("io.margay.servlet.engine.dispatch.FilterPipeline.invoke"),
        frame("io.margay.servlet.engine.RequestCycle.run")
    };

    private static StackTraceElement frame(String call) {
        int dot = call.lastIndexOf('.');
        return new StackTraceElement(call.substring(0, dot), call.substring(dot + 1), "A.java", 7);
    }

    /// A stack of an application that has called these, the innermost first.
    private static StackTraceElement[] stack(String calls) {
        StackTraceElement[] all =
                Arrays.stream(calls.split(" "))
                        .map(StackReadingTest::frame)
                        .toArray(StackTraceElement[]::new);
        StackTraceElement[] whole = Arrays.copyOf(all, all.length + CONTAINER.length);
        System.arraycopy(CONTAINER, 0, whole, all.length, CONTAINER.length);
        return whole;
    }

    @ParameterizedTest
    @CsvSource({
        "NAME, java.net.Inet6AddressImpl.lookupAllHostAddr"
                + " java.net.InetAddress.getAllByName java.net.Socket.<init>",
        "NAME, java.net.InetAddress$NameServiceAddresses.get java.net.InetAddress.getAllByName0"
                + " jdk.internal.net.http.HttpClientImpl.send",
        "NAME, sun.nio.ch.DatagramChannelImpl.blockingReceive com.sun.jndi.dns.DnsClient.query",
        "NAME, java.util.concurrent.CompletableFuture.get org.xbill.DNS.Resolver.send",
        "SESSIONS, sun.nio.ch.NioSocketImpl.implRead"
                + " redis.clients.jedis.Connection.readProtocolWithCheckingBroken"
                + " io.margay.valkey.sessions.ValkeyEngine.load",
        "SESSIONS, org.h2.jdbc.JdbcPreparedStatement.executeQuery"
                + " io.margay.servlet.session.jdbc.JdbcEngine.load",
        "STATEMENT, sun.nio.ch.NioSocketImpl.implRead"
                + " org.postgresql.jdbc.PgPreparedStatement.executeQuery",
        "STATEMENT, org.mariadb.jdbc.ClientPreparedStatement.executeQuery",
        "POOL, java.util.concurrent.locks.LockSupport.parkNanos"
                + " com.zaxxer.hikari.pool.HikariPool.getConnection",
        "COLLECTIONS, java.lang.Runtime.gc java.lang.System.gc",
        "PAGE, org.eclipse.jdt.internal.compiler.Compiler.compile"
                + " io.margay.servlet.jsp.PageCompiler.compile",
        "CLASSES, java.lang.ClassLoader.defineClass1 java.lang.ClassLoader.loadClass",
        "HANDSHAKE, sun.nio.ch.NioSocketImpl.implRead"
                + " sun.security.ssl.SSLSocketImpl.startHandshake",
        "DIAL, sun.nio.ch.Net.pollConnect sun.nio.ch.NioSocketImpl.connect",
        "FILE, sun.nio.ch.UnixFileDispatcherImpl.force0 sun.nio.ch.FileChannelImpl.force"
    })
    void cause_isWhatSaysMost_ofTheCallsOfTheApplication(String cause, String calls) {
        StackReading reading = new StackReading(stack(calls), Thread.State.RUNNABLE);
        assertEquals(Cause.valueOf(cause), reading.cause(), calls);
    }

    @Test
    void whereItIs_isTheApplicationsOwnCall() {
        StackReading reading =
                new StackReading(
                        stack("java.net.InetAddress.getAllByName0"), Thread.State.RUNNABLE);
        assertEquals("com.example.Cart.show(A.java:7)", reading.place());
        String valkey = "redis.clients.jedis.Connection.read io.margay.valkey.sessions.A.load";
        assertEquals(
                "com.example.Cart.show(A.java:7)",
                new StackReading(stack(valkey), Thread.State.RUNNABLE).place());
        assertEquals(
                Cause.LOCK,
                new StackReading(stack("com.example.Cart.add"), Thread.State.BLOCKED).cause());
        assertEquals(
                Cause.PROCESSOR,
                new StackReading(stack("com.example.Cart.add"), Thread.State.RUNNABLE).cause());
    }
}
