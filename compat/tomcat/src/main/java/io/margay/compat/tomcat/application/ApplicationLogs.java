package io.margay.compat.tomcat.application;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// Reads what applications say of their loggers. Thread-safe.
@FunctionalInterface
public interface ApplicationLogs {
    /// The file of an application, in its own folder.
    String FILE = "WEB-INF/classes/logging.properties";

    /// What one application says.
    ///
    /// @param told what of it has no effect, a line each
    /// @param opening gives the loggers of an application what it says, from now on, by its class
    ///   loader; what it returns ends that
    record Log(List<String> told, Function<ClassLoader, AutoCloseable> opening) {
        public Log {
            told = List.copyOf(told);
        }
    }

    /// Reads the file of an application.
    ///
    /// @param application its name, as that of its WAR
    Log read(Path file, String application, HostDefaults host) throws IOException;
}
