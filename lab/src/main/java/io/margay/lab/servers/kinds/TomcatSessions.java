package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Tomcat 11 with the lab's own application, whose sessions are kept by what its users have.
record TomcatSessions(Kind kind) implements LabServer {
    private static final String REDISSON_VERSION = "3.52.0";
    private static final String SPRING_SESSION_VERSION = "4.1.1";
    private static final String LETTUCE_VERSION = "7.5.2.RELEASE";
    private static final String SPRING_VERSION = "7.0.9";

    private static final String TABLE =
            "create table if not exists tomcat_sessions (session_id varchar(100) not null primary"
                    + " key, valid_session char(1) not null, max_inactive int not null,"
                    + " last_access bigint not null, app_name varchar(255), session_data blob)";

    private static final String APPLICATION = "webapps/lab";

    private static final String FILTER =
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
            """;

    /// What keeps the sessions.
    enum Kind {
        MEMORY("tomcat", "Tomcat 11, in memory", SessionEngine.NONE),
        JDBC("tomcat-jdbc", "Tomcat 11, PersistentManager in H2", SessionEngine.H2),
        REDISSON("tomcat-redisson", "Tomcat 11, Redisson", SessionEngine.VALKEY),
        SPRING("tomcat-spring", "Tomcat 11, Spring Session", SessionEngine.VALKEY);

        private final String variant;
        private final String title;
        private final SessionEngine engine;

        Kind(String variant, String title, SessionEngine engine) {
            this.variant = variant;
            this.title = title;
            this.engine = engine;
        }

        /// What Maven fetches for it, with all that needs.
        private List<String> artifacts() {
            return switch (this) {
                case MEMORY, JDBC -> List.of();
                case REDISSON -> List.of("org.redisson:redisson-tomcat-10:" + REDISSON_VERSION);
                case SPRING ->
                        List.of(
                                "org.springframework.session:spring-session-data-redis:"
                                        + SPRING_SESSION_VERSION,
                                "io.lettuce:lettuce-core:" + LETTUCE_VERSION,
                                "org.springframework:spring-web:" + SPRING_VERSION);
            };
        }

        private String folder() {
            return "sessions-" + variant;
        }
    }

    static List<LabServer> variants() {
        return Stream.of(Kind.values()).<LabServer>map(TomcatSessions::new).toList();
    }

    @Override
    public String name() {
        return "session:" + kind.variant;
    }

    @Override
    public String title() {
        return kind.title;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.SESSION);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        Availability found = kind.engine.availability(here);
        if (!found.ready()) {
            return found;
        }
        Availability tomcat =
                here.maven().availability(Tomcat11.FOLDER, "Tomcat " + Tomcat11.VERSION);
        return kind.artifacts().isEmpty() || !tomcat.equals(Availability.HERE)
                ? tomcat
                : here.maven().availability(kind.folder(), kind.title);
    }

    @Override
    public void fetch(LabEnvironment here) throws IOException {
        Tomcat11.home(here);
        libraries(here);
    }

    private Optional<Path> libraries(LabEnvironment here) throws IOException {
        return kind.artifacts().isEmpty()
                ? Optional.empty()
                : Optional.of(here.maven().jars(kind.folder(), kind.artifacts()));
    }

    @Override
    public String version(LabEnvironment here) {
        return "Apache Tomcat "
                + Tomcat11.VERSION
                + switch (kind) {
                    case MEMORY, JDBC -> "";
                    case REDISSON -> ", Redisson " + REDISSON_VERSION;
                    case SPRING -> ", Spring Session " + SPRING_SESSION_VERSION;
                };
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        LabEnvironment here = setting.here();
        Path home = Tomcat11.home(here);
        Path conf = TomcatTier.base(setting, home, "logging.properties", "web.xml");
        Path application = setting.folder().resolve(APPLICATION);
        copy(setting.webapps().resolve("lab"), application);
        Path library = Files.createDirectories(setting.folder().resolve("lib"));
        switch (kind) {
            case MEMORY -> {}
            case JDBC -> {
                Files.copy(SessionEngine.driver(here), library.resolve("h2.jar"));
                write(application, "META-INF/context.xml", persistent(setting));
            }
            case REDISSON -> {
                copy(libraries(here).orElseThrow(), library);
                write(
                        application,
                        "META-INF/context.xml",
                        """
                        <Context>
                          <Manager className="org.redisson.tomcat.RedissonSessionManager"
                              configPath="%s" readMode="REDIS"/>
                        </Context>
                        """
                                .formatted(conf.resolve("redisson.yaml")));
                Files.writeString(
                        conf.resolve("redisson.yaml"),
                        "singleServerConfig: {address: \"redis://127.0.0.1:%d\"}\n"
                                .formatted(setting.ajp()));
            }
            case SPRING -> {
                copy(libraries(here).orElseThrow(), application.resolve("WEB-INF/lib"));
                write(application, "WEB-INF/applicationContext.xml", spring(setting));
                Path descriptor = application.resolve("WEB-INF/web.xml");
                String text = Files.readString(descriptor);
                Files.writeString(descriptor, text.replace("</web-app>", FILTER + "</web-app>"));
            }
        }
        Files.writeString(conf.resolve("server.xml"), server(setting));
        List<Tier> tiers = new ArrayList<>();
        kind.engine.tier(setting).ifPresent(tiers::add);
        Tier tomcat = TomcatTier.of(setting, home, Tomcat11.OPENED);
        tiers.add(
                new Tier(
                        tomcat.name(),
                        tomcat.command(),
                        tomcat.environment(),
                        List.of(setting.http())));
        return tiers;
    }

    private static String server(Setting setting) {
        return """
        <Server port="-1">
          <Service name="Catalina">
            <Connector address="127.0.0.1" port="%d" connectionTimeout="20000"
                maxKeepAliveRequests="-1"/>
            <Engine name="Catalina" defaultHost="localhost">
              <Host name="localhost" appBase="webapps" autoDeploy="false"/>
            </Engine>
          </Service>
        </Server>
        """
                .formatted(setting.http());
    }

    private static String persistent(Setting setting) {
        return """
        <Context>
          <Resource name="jdbc/sessions" auth="Container" type="javax.sql.DataSource"
              driverClassName="org.h2.Driver" url="%s;INIT=%s" username="sa" password=""
              maxTotal="20"/>
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
                .formatted(SessionEngine.url(setting), TABLE);
    }

    private static String spring(Setting setting) {
        return """
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
            <constructor-arg value="127.0.0.1"/>
            <constructor-arg value="%d"/>
          </bean>
        </beans>
        """
                .formatted(setting.ajp())
                .replace("REDIS.", "org.springframework.data.redis.connection.")
                .replace(
                        "SESSION.",
                        "org.springframework.session.data.redis.config.annotation.web.http.");
    }

    private static void write(Path application, String name, String text) throws IOException {
        Path file = application.resolve(name);
        Files.createDirectories(application.resolve(name.substring(0, name.indexOf('/'))));
        Files.writeString(file, text);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target);
                }
            }
        }
    }
}
