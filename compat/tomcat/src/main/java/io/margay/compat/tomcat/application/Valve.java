package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.client.RemoteAddrFilter;
import io.margay.compat.tomcat.client.RemoteCidrFilter;
import io.margay.compat.tomcat.client.RemoteHostFilter;
import io.margay.compat.tomcat.client.RemoteIpFilter;
import io.margay.compat.tomcat.filter.LoadBalancerDrainingFilter;
import io.margay.compat.tomcat.valve.CrawlerSessionFilter;
import io.margay.compat.tomcat.valve.SemaphoreFilter;
import io.margay.compat.tomcat.valve.StuckThreadFilter;
import jakarta.servlet.Filter;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// What becomes of a `Valve` of context.xml. What may restrict access is never left out silently:
/// it runs as a filter of ours, or the application cannot be deployed.
public sealed interface Valve {
    /// A filter of ours does the same.
    record AsFilter(Class<? extends Filter> type) implements Valve {}

    /// It is left out with a warning.
    record LeftOut() implements Valve {}

    /// Its rules are asked before the application is.
    record Rewrites() implements Valve {}

    /// What it says of TLS is noted before the application is asked.
    record TellsTls() implements Valve {}

    /// It answers one path before the application is asked.
    record Answers() implements Valve {}

    /// It says how users log in, whatever web.xml says.
    ///
    /// @param method as `auth-method` names it
    record LogsIn(String method) implements Valve {}

    /// The application cannot be deployed.
    record Refused() implements Valve {}

    /// Package of most valves.
    String VALVES = "org.apache.catalina.valves.";

    Map<String, Class<? extends Filter>> FILTERS =
            Map.of(
                    VALVES + "RemoteAddrValve", RemoteAddrFilter.class,
                    VALVES + "RemoteCIDRValve", RemoteCidrFilter.class,
                    VALVES + "RemoteHostValve", RemoteHostFilter.class,
                    VALVES + "RemoteIpValve", RemoteIpFilter.class,
                    VALVES + "LoadBalancerDrainingValve", LoadBalancerDrainingFilter.class,
                    VALVES + "SemaphoreValve", SemaphoreFilter.class,
                    VALVES + "CrawlerSessionManagerValve", CrawlerSessionFilter.class,
                    VALVES + "StuckThreadDetectionValve", StuckThreadFilter.class);

    /// Attribute of a context with a `StuckThreadDetectionValve`: an `IntSupplier` that counts the
    /// requests that are stuck.
    String STUCK_REQUESTS = StuckThreadFilter.STUCK;

    /// Those that write a file of requests.
    Set<String> LOGS =
            Set.of(
                    VALVES + "AccessLogValve",
                    VALVES + "ExtendedAccessLogValve",
                    VALVES + "JsonAccessLogValve");

    /// Whose names sound like access control, though without them nobody gets further than before.
    Set<String> HARMLESS =
            Set.of(
                    VALVES + "AccessLogValve",
                    VALVES + "ExtendedAccessLogValve",
                    VALVES + "JsonAccessLogValve",
                    VALVES + "JDBCAccessLogValve",
                    SignOnValve.CLASS,
                    SignOnValve.OF_CLUSTER);

    /// Parts of names that sound like access control; a rewrite rule may forbid, and a filter in a
    /// valve may be anything.
    Set<String> RESTRICTING =
            Set.of("remote", "auth", "access", "secur", "deny", "filter", "rewrite", "login");

    /// What becomes of a valve of that class.
    static Valve named(String className) {
        Class<? extends Filter> filter = FILTERS.get(className);
        if (filter != null) {
            return new AsFilter(filter);
        }
        if (className.equals(VALVES + "rewrite.RewriteValve")) {
            return new Rewrites();
        }
        if (className.equals(VALVES + "HealthCheckValve")) {
            return new Answers();
        }
        if (className.equals(VALVES + "SSLValve")) {
            return new TellsTls();
        }
        String method = LoginValve.METHODS.get(className);
        if (method != null) {
            return new LogsIn(method);
        }
        String name = className.toLowerCase(Locale.ROOT);
        boolean restricting = RESTRICTING.stream().anyMatch(name::contains);
        return restricting && !HARMLESS.contains(className) ? new Refused() : new LeftOut();
    }
}
