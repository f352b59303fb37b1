package io.margay.app.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the users of Tomcat share sessions with. Immutable.
///
/// @param cluster what its engine has
/// @param descriptor more of the application's `web.xml`
/// @param files of the application and what is in them
/// @param libraries of Tomcat
/// @param ownLibraries of the application
record TomcatSessions(
        String cluster,
        String descriptor,
        Map<String, String> files,
        List<Path> libraries,
        List<Path> ownLibraries) {
    private static final String CONTEXT = "META-INF/context.xml";

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

    /// `DeltaManager`, which tells each change of a session to all others, which is what Tomcat's
    /// manual begins with, but for the addresses of the others, which are written down.
    ///
    /// @param seat of this one
    static TomcatSessions delta(TomcatContainer.Seat seat, List<TomcatContainer.Seat> all) {
        StringBuilder others = new StringBuilder();
        for (TomcatContainer.Seat each : all) {
            if (!each.equals(seat)) {
                others.append(member("Member", each));
            }
        }
        String cluster =
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
                        .formatted(member("LocalMember", seat), others, seat.replication())
                        .replace("TRIBES.", "org.apache.catalina.tribes.")
                        .replace("HA.", "org.apache.catalina.ha.");
        return new TomcatSessions(cluster, "", Map.of(), List.of(), List.of());
    }

    private static String member(String element, TomcatContainer.Seat of) {
        return """
        <%s className="org.apache.catalina.tribes.membership.StaticMember"
            port="%d" securePort="-1" host="127.0.0.1" uniqueId="%s"/>
        """
                .formatted(element, of.replication(), of.id());
    }

    /// `PersistentManager`, which keeps each session in a table after each request, and reads it
    /// before the next.
    static TomcatSessions persistent(H2Server database) {
        String context =
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
                        .formatted(database.url());
        return new TomcatSessions(
                "", "", Map.of(CONTEXT, context), List.of(database.driver()), List.of());
    }

    /// Redisson's manager, with its defaults, and sentinels.
    ///
    /// @param jars of the manager
    static TomcatSessions redisson(Path jars, SentinelEngine engine) throws IOException {
        String addresses =
                engine.sentinelPorts().stream()
                        .map(port -> "\"redis://127.0.0.1:" + port + "\"")
                        .collect(Collectors.joining(", "));
        return new TomcatSessions(
                "",
                "",
                Map.of(
                        CONTEXT,
                        """
                        <Context>
                          <Manager className="org.redisson.tomcat.RedissonSessionManager"
                              configPath="${catalina.base}/webapps/app/WEB-INF/redisson.yaml"
                              readMode="REDIS"/>
                        </Context>
                        """,
                        "WEB-INF/redisson.yaml",
                        """
                        sentinelServersConfig:
                          masterName: %s
                          sentinelAddresses: [%s]
                        """
                                .formatted(SentinelEngine.NAME, addresses)),
                jars(jars),
                List.of());
    }

    /// Spring Session, with its defaults, and sentinels, which Lettuce asks.
    ///
    /// @param jars of Spring Session and all it needs
    static TomcatSessions spring(Path jars, SentinelEngine engine) throws IOException {
        String sentinels =
                engine.sentinelPorts().stream()
                        .map(port -> "<value>127.0.0.1:" + port + "</value>")
                        .collect(Collectors.joining());
        return new TomcatSessions(
                "",
                """
                <listener>
                  <listener-class>
                    org.springframework.web.context.ContextLoaderListener
                  </listener-class>
                </listener>
                <filter>
                  <filter-name>springSessionRepositoryFilter</filter-name>
                  <filter-class>org.springframework.web.filter.DelegatingFilterProxy</filter-class>
                </filter>
                <filter-mapping>
                  <filter-name>springSessionRepositoryFilter</filter-name>
                  <url-pattern>/*</url-pattern>
                </filter-mapping>
                """,
                Map.of(
                        "WEB-INF/applicationContext.xml",
                        """
                        <beans xmlns="http://www.springframework.org/schema/beans"
                            xmlns:context="http://www.springframework.org/schema/context"
                            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                            xsi:schemaLocation="http://www.springframework.org/schema/beans
                              http://www.springframework.org/schema/beans/spring-beans.xsd
                              http://www.springframework.org/schema/context
                              http://www.springframework.org/schema/context/spring-context.xsd">
                          <context:annotation-config/>
                          <bean class="SESSION.RedisHttpSessionConfiguration"/>
                          <bean class="REDIS.lettuce.LettuceConnectionFactory">
                            <constructor-arg>
                              <bean class="REDIS.RedisSentinelConfiguration">
                                <constructor-arg value="%s"/>
                                <constructor-arg><set>%s</set></constructor-arg>
                              </bean>
                            </constructor-arg>
                          </bean>
                        </beans>
                        """
                                .formatted(SentinelEngine.NAME, sentinels)
                                .replace("REDIS.", "org.springframework.data.redis.connection.")
                                .replace(
                                        "SESSION.",
                                        "org.springframework.session.data.redis.config.annotation"
                                                + ".web.http.")),
                List.of(),
                jars(jars));
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    /// Writes what is not in `server.xml` and `web.xml`.
    ///
    /// @param base of this Tomcat
    void write(Path base, Path app) throws IOException {
        for (Map.Entry<String, String> each : files.entrySet()) {
            Path file = app.resolve(each.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, each.getValue());
        }
        copy(libraries, base.resolve("lib"));
        copy(ownLibraries, app.resolve("WEB-INF/lib"));
    }

    private static void copy(List<Path> jars, Path into) throws IOException {
        Files.createDirectories(into);
        for (Path each : jars) {
            Files.copy(each, into.resolve(each.getFileName()));
        }
    }
}
