package io.margay.app.it;

import io.margay.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A Tomcat with the application of a cluster, and what its users share sessions with. Used by one
/// thread, but for its name and port.
final class TomcatContainer implements ClusterContainer {
    /// What the members of a cluster know of each other before they start. Immutable.
    ///
    /// @param name also the route of its sessions
    /// @param number from 1 on
    /// @param http where it listens
    /// @param replication where it hears the others
    record Seat(String name, int number, int http, int replication) {
        static Seat of(int number) throws IOException {
            return new Seat("c" + number, number, FreePort.next(), FreePort.next());
        }

        /// As Tomcat writes the identifier of a member.
        String id() {
            return "{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0," + number + "}";
        }
    }

    private final Seat seat;
    private final Path home;
    private final Path folder;
    private ServerProcess process;

    /// @param home of Tomcat
    /// @param sessions what shares them
    TomcatContainer(Path home, Path parent, Seat seat, TomcatSessions sessions) throws IOException {
        this.seat = seat;
        this.home = home;
        folder = Files.createDirectories(parent.resolve(seat.name));
        configure(sessions);
        start();
    }

    private void configure(TomcatSessions sessions) throws IOException {
        Path app = folder.resolve("webapps/app");
        FaultyBackEnd.makeApplication(
                app,
                log(),
                "<distributable/>" + sessions.descriptor(),
                ClusterServlet.class,
                FaultsServlet.class);
        sessions.write(folder, app);
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.copy(home.resolve("conf/web.xml"), conf.resolve("web.xml"));
        Files.writeString(
                conf.resolve("server.xml"),
                """
                <Server port="-1">
                  <Service name="Catalina">
                    <Connector port="%d" address="127.0.0.1" protocol="HTTP/1.1"
                        maxKeepAliveRequests="-1"/>
                    <Engine name="Catalina" defaultHost="localhost" jvmRoute="%s">
                      %s
                      <Host name="localhost" appBase="webapps" autoDeploy="false"/>
                    </Engine>
                  </Service>
                </Server>
                """
                        .formatted(seat.http, seat.name, sessions.cluster()));
        Files.writeString(log(), "", StandardOpenOption.CREATE);
    }

    private Path log() {
        return folder.resolve("runs");
    }

    @Override
    public String name() {
        return seat.name;
    }

    @Override
    public int httpPort() {
        return seat.http;
    }

    @Override
    public List<String> runs() throws IOException {
        return Files.readAllLines(log());
    }

    @Override
    public void await() {
        process.awaitLine("Server startup in ");
    }

    @Override
    public void kill() {
        process.close();
    }

    @Override
    public void start() throws IOException {
        process = ServerProcess.tomcatBase(home, folder);
    }

    @Override
    public void restart() throws IOException, InterruptedException {
        process.terminate();
        process.close();
        start();
    }

    @Override
    public void signal(String signal) throws IOException, InterruptedException {
        process.signal(signal);
    }

    @Override
    public void close() {
        process.close();
    }
}
