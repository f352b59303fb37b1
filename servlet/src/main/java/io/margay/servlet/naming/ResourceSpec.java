package io.margay.servlet.naming;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a resource is to be. Immutable.
public sealed interface ResourceSpec {
    /// The class by which listings call it.
    String className();

    /// Whether one object serves all that ask.
    default boolean singleton() {
        return true;
    }

    /// Connections to a database, pooled.
    record Pool(DataSourceSettings settings) implements ResourceSpec {
        @Override
        public String className() {
            return "javax.sql.DataSource";
        }
    }

    /// A mail session.
    ///
    /// @param properties as Jakarta Mail calls them, such as `mail.smtp.host`
    record Mail(Map<String, String> properties, @Nullable String user, @Nullable String password)
            implements ResourceSpec {
        public Mail {
            properties = Map.copyOf(properties);
        }

        @Override
        public String className() {
            return "jakarta.mail.Session";
        }

        /// Without the password.
        @Override
        public String toString() {
            return "Mail" + properties.keySet();
        }
    }

    /// An object of a class of the application, with properties set.
    ///
    /// @param closeMethod called in the end; null = none
    record Bean(
            String className,
            Map<String, String> properties,
            boolean singleton,
            @Nullable String closeMethod)
            implements ResourceSpec {
        public Bean {
            properties = Map.copyOf(properties);
        }
    }

    /// What an `ObjectFactory` of the application makes.
    ///
    /// @param attributes that the factory finds in its `Reference`
    /// @param closeMethod called in the end; null = none
    record Factory(
            String factoryClass,
            String className,
            Map<String, String> attributes,
            boolean singleton,
            @Nullable String closeMethod)
            implements ResourceSpec {
        public Factory {
            attributes = Map.copyOf(attributes);
        }
    }
}
