package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/// What the `logging.properties` of one application says. Immutable.
///
/// @param account what becomes of each line
public record ApplicationLog(LogPlan plan, List<AccountLine> account) {
    public ApplicationLog {
        account = List.copyOf(account);
    }

    /// Reads a file.
    ///
    /// @param shown its name for messages
    /// @param base the folder that paths are relative to
    /// @param replace gives a value with every `${...}` replaced
    public static ApplicationLog read(
            Path file, String shown, Path base, UnaryOperator<String> replace) throws IOException {
        ElementAccount account = new ElementAccount();
        LogPlan plan = LoggingFile.ofApplication(file, shown, base, replace, account);
        return new ApplicationLog(plan, account.lines());
    }
}
