package io.margay.app.logging;

import io.margay.compat.account.AccountLine;
import io.margay.compat.tomcat.application.ApplicationLogs;
import io.margay.compat.tomcat.application.HostDefaults;
import io.margay.compat.tomcat.server.ApplicationLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogManager;

/// Has the loggers of an application of a base of Tomcat's write as its own `logging.properties`
/// says. Stateless.
public final class TomcatLogs implements ApplicationLogs {
    @Override
    public Log read(Path file, String application, HostDefaults host) throws IOException {
        if (!(LogManager.getLogManager() instanceof LoggersByApplication manager)
                || Logging.isSetUpByJvm()) {
            return new Log(
                    List.of(
                            FILE
                                    + ": is not read: java.util.logging is set up by options of the"
                                    + " JVM, or by an agent"),
                    _ -> () -> {});
        }
        ApplicationLog read =
                ApplicationLog.read(
                        file,
                        FILE,
                        host.base(),
                        value ->
                                host.properties()
                                        .replace(
                                                value.replace(
                                                                "${classloader.webappName}",
                                                                application)
                                                        .replace(
                                                                "${classloader.hostName}",
                                                                host.name())));
        List<String> told = new ArrayList<>();
        read.account().stream()
                .filter(AccountLine::isFailure)
                .forEach(line -> told.add(line.toString()));
        if (read.plan().loggers().isEmpty()) {
            told.add(
                    FILE
                            + ": no handlers are named: what the application logs is written"
                            + " nowhere, as in Tomcat");
        }
        return new Log(told, loader -> manager.open(loader, read.plan()));
    }
}
