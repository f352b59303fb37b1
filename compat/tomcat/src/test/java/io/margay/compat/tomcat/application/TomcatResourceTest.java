package io.margay.compat.tomcat.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.PoolLimits;
import io.margay.servlet.naming.ResourceSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TomcatResourceTest {
    private final List<String> warnings = new ArrayList<>();

    private @Nullable ResourceSpec spec(String... namesAndValues) {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            attributes.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return TomcatResource.spec(
                new ContextSettings.Resource("r", attributes, "context.xml:1:2"),
                name -> name.startsWith("own."),
                warnings::add);
    }

    private DataSourceSettings pool(String... namesAndValues) {
        List<String> all =
                new ArrayList<>(List.of("type", "javax.sql.DataSource", "url", "jdbc:x:y"));
        all.addAll(List.of(namesAndValues));
        return assertInstanceOf(ResourceSpec.Pool.class, spec(all.toArray(String[]::new)))
                .settings();
    }

    @Test
    void dbcpAttributes_areThoseOfThePool() {
        DataSourceSettings settings =
                pool(
                        "username", "u",
                        "password", "p",
                        "driverClassName", "x.Driver",
                        "maxTotal", "20",
                        "maxIdle", "10",
                        "minIdle", "2",
                        "maxWaitMillis", "1000",
                        "minEvictableIdleTimeMillis", "60000",
                        "maxConnLifetimeMillis", "-1",
                        "validationQuery", "select 1",
                        "validationQueryTimeout", "3",
                        "testOnBorrow", "true",
                        "connectionProperties", "a=1; b=2;",
                        "connectionInitSqls", "set x",
                        "defaultAutoCommit", "false",
                        "defaultReadOnly", "true",
                        "defaultTransactionIsolation", "SERIALIZABLE",
                        "defaultCatalog", "c",
                        "defaultSchema", "s");
        assertEquals(
                new DataSourceSettings(
                        "jdbc:x:y",
                        "x.Driver",
                        "u",
                        "p",
                        Map.of("a", "1", "b", "2"),
                        new DataSourceSettings.Session(
                                "select 1", "set x", false, true, "SERIALIZABLE", "c", "s"),
                        new PoolLimits(
                                20,
                                2,
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(1),
                                Duration.ZERO,
                                Duration.ofSeconds(3),
                                Duration.ZERO)),
                settings);
        assertEquals(List.of(), warnings);
        assertFalse(settings.toString().contains("p,"), "the password is not shown");
    }

    @Test
    void dbcp1Attributes_areReadToo() {
        PoolLimits limits = pool("maxActive", "3", "maxWait", "-1").limits();
        assertEquals(3, limits.sizeMax());
        assertEquals(Duration.ZERO, limits.waitMax());
    }

    @Test
    void size_notGiven_isThatOfTheNamedPool() {
        assertEquals(8, pool().limits().sizeMax());
        assertEquals(
                100,
                pool("factory", "org.apache.tomcat.jdbc.pool.DataSourceFactory")
                        .limits()
                        .sizeMax());
    }

    @Test
    void size_withoutBound_isBoundedAndTold() {
        assertEquals(100, pool("maxTotal", "-1").limits().sizeMax());
        assertTrue(warnings.getFirst().contains("unbounded"), warnings::toString);
    }

    @Test
    void attributes_withoutEffect_areNamedInOneLine() {
        DataSourceSettings _ = pool("jdbcInterceptors", "X", "maxOpenPreparedStatements", "9");
        assertEquals(
                List.of(
                        "context.xml:1:2: <Resource>: no effect: jdbcInterceptors,"
                                + " maxOpenPreparedStatements"),
                warnings);
    }

    @Test
    void abandonedConnections_areToldOnly() {
        PoolLimits limits =
                pool("removeAbandonedOnBorrow", "true", "removeAbandonedTimeout", "60").limits();
        assertEquals(Duration.ofMinutes(1), limits.leakAfter());
        assertEquals(1, warnings.size());
    }

    @Test
    void wrongNumber_isAnErrorWithItsPlace() {
        String message =
                assertThrows(WebAppException.class, () -> pool("maxTotal", "many")).getMessage();
        assertEquals("context.xml:1:2: <Resource>: maxTotal='many' must be a number", message);
    }

    @Test
    void url_missing_isAnError() {
        assertThrows(WebAppException.class, () -> spec("type", "javax.sql.DataSource"));
    }

    @Test
    void hikariAttributes_areReadToo() {
        ResourceSpec spec =
                spec(
                        "factory", "com.zaxxer.hikari.HikariJNDIFactory",
                        "type", "javax.sql.DataSource",
                        "dataSourceClassName", "x.Source",
                        "dataSource.user", "u",
                        "maximumPoolSize", "4",
                        "minimumIdle", "1");
        DataSourceSettings settings = assertInstanceOf(ResourceSpec.Pool.class, spec).settings();
        assertEquals("x.Source", settings.className());
        assertEquals(Map.of("user", "u"), settings.properties());
        assertEquals(4, settings.limits().sizeMax());
    }

    @Test
    void factory_thatTheApplicationBrings_makesIt() {
        assertEquals(
                new ResourceSpec.Factory(
                        "own.Pools", "T", Map.of("type", "T", "a", "1"), false, "stop"),
                spec(
                        "type", "T",
                        "factory", "own.Pools",
                        "a", "1",
                        "singleton", "false",
                        "closeMethod", "stop",
                        "auth", "Container"));
    }

    @Test
    void mailSession_takesItsPropertiesAndPassword() {
        assertEquals(
                new ResourceSpec.Mail(
                        Map.of("mail.smtp.host", "h", "mail.smtp.user", "u"), "u", "secret"),
                spec(
                        "type", "jakarta.mail.Session",
                        "auth", "Container",
                        "mail.smtp.host", "h",
                        "mail.smtp.user", "u",
                        "password", "secret"));
    }

    /// Bases of Tomcat 9 have that, before applications that are converted.
    @Test
    void mailSession_ofJavaEe_isOneOfJakartaMail() {
        assertEquals(
                new ResourceSpec.Mail(Map.of("mail.smtp.host", "h"), null, null),
                spec("type", "javax.mail.Session", "mail.smtp.host", "h"));
        assertEquals(List.of(), warnings);
    }

    @Test
    void whatNothingMakes_isNamed() {
        assertNull(spec("type", "some.Thing"));
        assertNull(spec("factory", "org.apache.naming.factory.SendMailFactory", "type", "x"));
        assertNull(spec("auth", "Container"));
        assertEquals(3, warnings.size());
        assertTrue(
                warnings.getFirst()
                        .equals(
                                "context.xml:1:2: <Resource>: nothing can create a some.Thing"
                                        + " without a factory"),
                warnings::toString);
    }
}
