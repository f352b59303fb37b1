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
        private String id() {
            return "{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0," + number + "}";
        }
    }

    /// The table of `persistent`.
    static final String TABLE =
            """
            create table tomcat_sessions (
              session_id varchar(100) not null primary key,
              valid_session char(1) not null,
              max_inactive int not null,
              last_access bigint not null,
              app_name varchar(255),
              session_data blob);
            create index by_application on tomcat_sessions(app_name);
            """;

    private final Seat seat;
    private final Path home;
    private final Path folder;
    private ServerProcess process;

    private TomcatContainer(Path home, Path parent, Seat seat) throws IOException {
        this.seat = seat;
        this.home = home;
        folder = Files.createDirectories(parent.resolve(seat.name));
    }

    /// One whose `DeltaManager` tells each change of a session to all others, which is what
    /// Tomcat's manual begins with, but for the addresses of the others, which are written down.
    static TomcatContainer delta(Path home, Path parent, Seat seat, List<Seat> all)
            throws IOException {
        TomcatContainer made = new TomcatContainer(home, parent, seat);
        StringBuilder others = new StringBuilder();
        for (Seat each : all) {
            if (!each.equals(seat)) {
                others.append(member("Member", each));
            }
        }
        made.configure(
                """
                <Cluster className="HA.tcp.SimpleTcpCluster"
                    channelSendOptions="8">
                  <Manager className="HA.session.DeltaManager"
                      expireSessionsOnShutdown="false" notifyListenersOnReplication="true"/>
                  <Channel className="TRIBES.group.GroupChannel">
                    <Membership
                        className="TRIBES.membership.StaticMembershipService"
                        expirationTime="5000" connectTimeout="500" rpcTimeout="3000">
                      %s
                      %s
                    </Membership>
                    <Receiver className="TRIBES.transport.nio.NioReceiver"
                        address="127.0.0.1" port="%d" autoBind="0" selectorTimeout="5000"
                        maxThreads="6"/>
                    <Sender className="TRIBES.transport.ReplicationTransmitter">
                      <Transport
                          className="TRIBES.transport.nio.PooledParallelSender"/>
                    </Sender>
                    <Interceptor
                        className="TRIBES.group.interceptors.TcpFailureDetector"/>
                    <Interceptor
                        className="TRIBES.group.interceptors.MessageDispatchInterceptor"/>
                  </Channel>
                  <Valve className="HA.tcp.ReplicationValve" filter=""/>
                  <Valve className="HA.session.JvmRouteBinderValve"/>
                  <ClusterListener className="HA.session.ClusterSessionListener"/>
                </Cluster>
                """
                        .formatted(member("LocalMember", seat), others, seat.replication)
                        .replace("TRIBES.", "org.apache.catalina.tribes.")
                        .replace("HA.", "org.apache.catalina.ha."),
                "");
        made.start();
        return made;
    }

    private static String member(String element, Seat of) {
        return """
        <%s className="org.apache.catalina.tribes.membership.StaticMember"
            port="%d" securePort="-1" host="127.0.0.1" uniqueId="%s"/>
        """
                .formatted(element, of.replication, of.id());
    }

    /// One whose `PersistentManager` keeps each session in a table after each request, and reads it
    /// before the next.
    static TomcatContainer persistent(Path home, Path parent, Seat seat, H2Server database)
            throws IOException {
        TomcatContainer made = new TomcatContainer(home, parent, seat);
        Path library = Files.createDirectories(made.folder.resolve("lib"));
        Files.copy(database.driver(), library.resolve("h2.jar"));
        made.configure(
                "",
                """
                <Context>
                  <Resource name="jdbc/sessions" auth="Container" type="javax.sql.DataSource"
                      driverClassName="org.h2.Driver" url="%s" username="sa" password=""
                      maxTotal="20" validationQuery="select 1" testOnBorrow="true"/>
                  <Valve className="org.apache.catalina.valves.PersistentValve"/>
                  <Manager className="org.apache.catalina.session.PersistentManager"
                      maxIdleBackup="1" saveOnRestart="true">
                    <Store className="org.apache.catalina.session.DataSourceStore"
                        localDataSource="true" dataSourceName="jdbc/sessions"
                        sessionTable="tomcat_sessions" sessionIdCol="session_id"
                        sessionDataCol="session_data" sessionLastAccessedCol="last_access"
                        sessionMaxInactiveCol="max_inactive" sessionValidCol="valid_session"
                        sessionAppCol="app_name"/>
                  </Manager>
                </Context>
                """
                        .formatted(database.url()));
        made.start();
        return made;
    }

    private void configure(String cluster, String context) throws IOException {
        Path app = folder.resolve("webapps/app");
        FaultyBackEnd.makeApplication(
                app, log(), "<distributable/>", ClusterServlet.class, FaultsServlet.class);
        if (!context.isEmpty()) {
            Files.createDirectories(app.resolve("META-INF"));
            Files.writeString(app.resolve("META-INF/context.xml"), context);
        }
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
                        .formatted(seat.http, seat.name, cluster));
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
