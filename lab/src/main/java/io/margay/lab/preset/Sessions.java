package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.RunResult;
import java.util.List;

/// What a session costs where several servers share it: the CPU time of the server, and of what
/// keeps the sessions, for each request.
record Sessions() implements Preset {
    private static final int CONNECTIONS = 50;
    private static final String MEMORY = "session:memory";
    private static final String VALKEY = "session:valkey";
    private static final String JDBC = "session:jdbc";
    private static final String TOMCAT = "session:tomcat";
    private static final String PERSISTENT = "session:tomcat-jdbc";
    private static final String REDISSON = "session:tomcat-redisson";
    private static final String SPRING = "session:tomcat-spring";
    private static final String READ = "read";
    private static final String WRITTEN = "written";

    private static final List<String> SERVERS =
            List.of(
                    TOMCAT,
                    REDISSON,
                    SPRING,
                    PERSISTENT,
                    MEMORY,
                    VALKEY,
                    "session:valkey-after",
                    "session:valkey-lazily",
                    "session:valkey-sticky",
                    JDBC);

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public String title() {
        return "sessions of 2 KB in memory, in Valkey or Redis and in a database (H2 as a process)";
    }

    @Override
    public List<Scenario> scenarios() {
        return List.of(
                scenario("none", Page.NO_SESSION, List.of(TOMCAT, SPRING, MEMORY)),
                scenario(READ, Page.SESSION_READ, SERVERS),
                scenario(WRITTEN, Page.SESSION_WRITTEN, SERVERS));
    }

    private static Scenario scenario(String id, Page page, List<String> servers) {
        return Scenario.of(
                        id,
                        LoadJob.closed(CONNECTIONS, false, true),
                        page,
                        servers,
                        servers.getFirst())
                .withQuick(!id.equals("none"));
    }

    @Override
    public List<String> why(RunResult result) {
        Findings findings = new Findings(result);
        for (String scenario : List.of(READ, WRITTEN)) {
            findings.because(scenario, VALKEY, MEMORY)
                    .because(scenario, VALKEY, REDISSON)
                    .because(scenario, VALKEY, SPRING)
                    .because(scenario, JDBC, PERSISTENT);
        }
        return findings.sentences();
    }
}
