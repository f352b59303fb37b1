package io.margay.app.memory;

import io.margay.app.MargayProcess;
import io.margay.app.Wars;
import io.margay.app.sample.HeapServlet;
import io.margay.app.sample.ListeningEndpoint;
import io.margay.app.sample.PartFieldServlet;
import io.margay.app.sample.UnreadServlet;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A server with a heap of 128 MiB in a process of its own, that ends when its heap is full, as
/// `./margay` has it.
final class AttackedMargay implements AutoCloseable {
    static final long MIB = 1L << 20;
    private static final long HONEST_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final MargayProcess process;
    private final InetSocketAddress address;

    AttackedMargay(Path folder) throws IOException {
        Path app =
                Wars.with("ok.txt", "ok")
                        .and("in/index.html", "inside")
                        .and("login.html", "log in")
                        .type(ListeningEndpoint.class)
                        .servlet(HeapServlet.class, "/heap")
                        .servlet(UnreadServlet.class, "/through/unread")
                        .servlet(PartFieldServlet.class, "/field")
                        .withinWebXml(
                                """
                                <security-constraint>
                                  <web-resource-collection>
                                    <web-resource-name>in</web-resource-name>
                                    <url-pattern>/in/*</url-pattern>
                                  </web-resource-collection>
                                  <auth-constraint><role-name>*</role-name></auth-constraint>
                                </security-constraint>
                                <login-config>
                                  <auth-method>FORM</auth-method>
                                  <form-login-config>
                                    <form-login-page>/login.html</form-login-page>
                                    <form-error-page>/login.html</form-error-page>
                                  </form-login-config>
                                </login-config>
                                <security-role><role-name>user</role-name></security-role>
                                </web-app>
                                """)
                        .folder(folder.resolve("app"));
        Path users = folder.resolve("users.xml");
        Files.writeString(
                users, "<tomcat-users><user username='ada' password='p'/></tomcat-users>");
        Path config = folder.resolve("margay.yaml");
        Files.writeString(
                config,
                """
                listeners: [{http: %1$d, connections-per-address-max: 0}]
                work: %2$s
                deploy: {users: %3$s}
                hosts:
                  - access-log: {file: %4$s, format: json}
                    routes: {/app: {app: %5$s}, "/through/*": {gateway: self}}
                upstreams: {self: {members: [{url: "http://127.0.0.1:%1$d/app"}]}}
                """
                        .formatted(
                                FreePort.next(),
                                folder.resolve("work"),
                                users,
                                folder.resolve("log"),
                                app));
        process = MargayProcess.startWith(folder, List.of("-Xmx128m"), "run", config.toString());
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), process.awaitReady());
    }

    /// What is in use of the heap once garbage has been collected.
    long heapUsed() throws IOException {
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            return Long.parseLong(client.get("/app/heap").text());
        }
    }

    /// Whether no more of the heap is in use than so much.
    boolean isHeapBelow(long bytes) {
        try {
            return heapUsed() < bytes;
        } catch (IOException e) {
            return false;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// The status that an honest client gets.
    int honestStatus() throws IOException {
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            return client.get("/app/ok.txt").status();
        }
    }

    /// Attacks for some time, on several connections at once where the attack waits for answers.
    ///
    /// @param paced whether to leave the processors to others
    CompletableFuture<Void> attack(MemoryAttack attack, long seconds, boolean paced) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long period = paced ? TimeUnit.SECONDS.toNanos(1) / attack.perSecond : 0;
        MemoryAttack.Pace pace =
                new MemoryAttack.Pace(() -> System.nanoTime() < end && isAlive(), period);
        return CompletableFuture.runAsync(
                () -> {
                    while (pace.goesOn()) {
                        try {
                            attack.run(address, pace);
                        } catch (IOException e) {
                            LockSupport.parkNanos(HONEST_PERIOD_NANOS); // Turned away: again.
                        }
                    }
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }

    /// How long 99 of 100 honest requests took at most, in milliseconds; one hundred a second are
    /// made.
    double honestP99(long seconds) throws IOException {
        List<Long> took = new ArrayList<>();
        long begin = System.nanoTime();
        long end = begin + TimeUnit.SECONDS.toNanos(seconds);
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            for (long due = begin; due < end; due += HONEST_PERIOD_NANOS) {
                LockSupport.parkNanos(due - System.nanoTime());
                int status = client.get("/app/ok.txt").status();
                if (status != 200) {
                    throw new AssertionError("an honest client got " + status);
                }
                took.add(System.nanoTime() - due);
            }
        } catch (IOException e) {
            throw new IOException("an honest client was not served: " + this, e);
        }
        took.sort(null);
        return took.get(took.size() * 99 / 100) / 1e6;
    }

    @Override
    public String toString() {
        return process.toString();
    }

    @Override
    public void close() {
        process.close();
    }
}
