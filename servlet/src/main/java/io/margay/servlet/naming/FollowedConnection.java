package io.margay.servlet.naming;

import io.margay.server.steps.Steps;
import io.margay.server.steps.Steps.About;
import io.margay.server.steps.Steps.Kind;
import io.margay.server.steps.Steps.Step;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A connection of a pool whose statements are steps of the request on whose thread they are
/// executed: those who follow it are told what is executed, without values, and how long the
/// database took to begin its answer. Made only while somebody is told. Used as the connection is.
final class FollowedConnection implements InvocationHandler {
    private final Connection connection;
    private final String pool;
    private final String system;

    private FollowedConnection(Connection connection, String pool, String system) {
        this.connection = connection;
        this.pool = pool;
        this.system = system;
    }

    /// @param pool its name
    /// @param system the kind of database: see [#system]
    static Connection of(Connection connection, String pool, String system) {
        return (Connection)
                proxy(Connection.class, new FollowedConnection(connection, pool, system));
    }

    /// What OpenTelemetry's conventions call the database behind a URL.
    ///
    /// @param url null = not known
    /// @param driver its class, or null
    static String system(@Nullable String url, @Nullable String driver) {
        String kind = url != null && url.startsWith("jdbc:") ? url.substring(5) : "" + driver;
        return switch (kind.replaceFirst("^(org|com|oracle)\\.", "").split("[:.]", 2)[0]) {
            case "postgresql" -> "postgresql";
            case "mysql" -> "mysql";
            case "mariadb" -> "mariadb";
            case "oracle", "jdbc" -> "oracle.db";
            case "sqlserver", "microsoft" -> "microsoft.sql_server";
            case "db2", "ibm" -> "ibm.db2";
            case "h2" -> "h2database";
            case "derby" -> "derby";
            case "hsqldb" -> "hsqldb";
            case "sqlite" -> "sqlite";
            default -> "other_sql";
        };
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(
                FollowedConnection.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    @SuppressWarnings("ReferenceEquality") // a proxy is equal to itself alone
    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
            throws Throwable {
        return switch (method.getName()) {
            case "equals" -> arguments != null && self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "commit", "rollback" -> {
                String name = method.getName().toUpperCase(Locale.ROOT);
                About about = new About(Kind.STATEMENT, name, pool, name, system);
                yield told(() -> about, connection, method, arguments);
            }
            case "createStatement", "prepareStatement", "prepareCall" -> {
                Object made = called(connection, method, arguments);
                String sql = arguments != null && arguments[0] instanceof String s ? s : null;
                yield made instanceof Statement statement
                        ? statement(statement, (Connection) self, sql)
                        : made;
            }
            default -> called(connection, method, arguments);
        };
    }

    private Object statement(Statement made, Connection of, @Nullable String sql) {
        Class<?> type =
                made instanceof CallableStatement
                        ? CallableStatement.class
                        : made instanceof PreparedStatement
                                ? PreparedStatement.class
                                : Statement.class;
        return proxy(type, new FollowedStatement(made, of, sql));
    }

    private static @Nullable Object told(
            Supplier<About> about, Object on, Method method, Object @Nullable [] arguments)
            throws Throwable {
        Step step = Steps.begin(Kind.STATEMENT, about);
        Throwable failure = null;
        try {
            return called(on, method, arguments);
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            step.end(failure);
        }
    }

    private static @Nullable Object called(Object on, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw cause == null ? e : cause;
        }
    }

    /// What is told of a statement, found out when it is first asked for. Thread-safe.
    private final class Text implements Supplier<About> {
        private final String sql;
        private volatile @Nullable About known;

        private Text(@Nullable String sql) {
            this.sql = sql == null ? "" : sql;
        }

        @Override
        public About get() {
            About about = known;
            if (about == null) {
                StatementText text = StatementText.of(sql, system);
                about = new About(Kind.STATEMENT, text.summary(), pool, text.text(), system);
                known = about;
            }
            return about;
        }
    }

    /// A statement of such a connection. Used as the statement is.
    private final class FollowedStatement implements InvocationHandler {
        private final Statement statement;
        private final Connection of;
        private Text text;

        private FollowedStatement(Statement statement, Connection of, @Nullable String sql) {
            this.statement = statement;
            this.of = of;
            text = new Text(sql);
        }

        @SuppressWarnings("ReferenceEquality") // a proxy is equal to itself alone
        @Override
        public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
                throws Throwable {
            String name = method.getName();
            boolean executes = name.startsWith("execute");
            if ((executes || name.equals("addBatch"))
                    && arguments != null
                    && arguments[0] instanceof String sql) {
                text = new Text(sql);
            }
            if (executes) {
                return told(text, statement, method, arguments);
            }
            return switch (name) {
                case "equals" -> arguments != null && self == arguments[0];
                case "hashCode" -> System.identityHashCode(self);
                case "getConnection" -> of;
                default -> called(statement, method, arguments);
            };
        }
    }
}
