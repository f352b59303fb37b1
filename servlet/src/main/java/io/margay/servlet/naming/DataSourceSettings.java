package io.margay.servlet.naming;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a data source reaches its database, and how many connections it keeps. Immutable.
///
/// @param url of the database, as its driver has it; null with a class of data sources
/// @param className of a driver or of data sources; null = the driver that takes the URL
/// @param properties of the driver or of the data source
/// @param session what each connection begins with
public record DataSourceSettings(
        @Nullable String url,
        @Nullable String className,
        @Nullable String user,
        @Nullable String password,
        Map<String, String> properties,
        Session session,
        PoolLimits limits) {

    /// What each connection begins with; null = as the driver has it.
    ///
    /// @param testQuery asked to see whether a connection still works; null = the driver knows how
    /// @param initSql run on each new connection
    /// @param isolation such as `READ_COMMITTED`
    public record Session(
            @Nullable String testQuery,
            @Nullable String initSql,
            @Nullable Boolean autoCommit,
            @Nullable Boolean readOnly,
            @Nullable String isolation,
            @Nullable String catalog,
            @Nullable String schema) {
        /// As the driver has it.
        public static Session asDriver() {
            return new Session(null, null, null, null, null, null, null);
        }
    }

    public DataSourceSettings {
        properties = Map.copyOf(properties);
        if (url == null && className == null) {
            throw new IllegalArgumentException("a data source needs a URL");
        }
    }

    /// Without passwords, which may also stand in the URL and in properties.
    @Override
    public String toString() {
        return "DataSourceSettings[" + shownUrl() + ", user " + user + "]";
    }

    /// The URL up to its parameters.
    String shownUrl() {
        String text = url == null ? String.valueOf(className) : url;
        int end = text.length();
        for (char mark : new char[] {'?', ';', '&', '@'}) {
            int at = text.indexOf(mark);
            end = at < 0 ? end : Math.min(end, at);
        }
        return text.substring(0, end);
    }
}
