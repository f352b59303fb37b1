package io.margay.app.logging;

import io.margay.compat.tomcat.server.LogPlan.RotatingPlan;
import java.io.IOException;
import java.time.ZoneId;
import java.util.logging.FileHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/// Makes the JDK's own handler of files as a base of Tomcat's has it. Stateless.
final class RotatingFile {
    private RotatingFile() {}

    /// @param otherwise takes the records when the files cannot be written, and is returned then
    static Handler of(RotatingPlan plan, Handler otherwise) {
        try {
            FileHandler handler =
                    new FileHandler(plan.pattern(), plan.bytesMax(), plan.count(), plan.append());
            handler.setEncoding(plan.charset().name());
            handler.setFormatter(DailyFile.formatter(plan.lines(), ZoneId.systemDefault()));
            handler.setLevel(Level.parse(plan.level()));
            return handler;
        } catch (IOException e) {
            LogRecord said =
                    new LogRecord(
                            Level.WARNING,
                            plan.pattern() + " cannot be written, its records follow here: " + e);
            said.setLoggerName(RotatingFile.class.getName());
            otherwise.publish(said);
            return otherwise;
        }
    }
}
