package io.margay.compat.tomcat.application;

import io.margay.servlet.settings.ErrorReports;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The `ErrorReportValve` of a host: files by status and by what was thrown, and whether the
/// server's own page shows what went wrong. The files are read for each error, as in Tomcat.
/// Immutable.
///
/// @param byStatus 0 = every status that has no other
/// @param byException by class, for its subclasses, too
public record ErrorFiles(
        Map<Integer, Path> byStatus, Map<String, Path> byException, boolean details)
        implements ErrorReports {
    /// Status of the page for every other status.
    public static final int OTHERS = 0;

    private static final System.Logger LOG = System.getLogger(ErrorFiles.class.getName());
    private static final String CODE = "errorCode.";
    private static final String TYPE = "exceptionType.";

    public ErrorFiles {
        byStatus = Map.copyOf(byStatus);
        byException = Map.copyOf(byException);
    }

    /// Those of a valve.
    ///
    /// @param base the folder that paths are relative to
    /// @param wrong takes attributes that cannot be honoured, and why
    public static ErrorFiles of(
            Map<String, String> attributes, Path base, BiConsumer<String, String> wrong) {
        Map<Integer, Path> byStatus = new HashMap<>();
        Map<String, Path> byException = new HashMap<>();
        attributes.forEach((name, value) -> {
            boolean ofStatus = name.startsWith(CODE);
            if (!ofStatus && !name.startsWith(TYPE)) {
                return;
            }
            Path file = base.resolve(value).normalize();
            String of = name.substring(name.indexOf('.') + 1);
            if (ofStatus && !of.matches("0|[45][0-9][0-9]")) {
                wrong.accept(name, "there is no such error: it has no page");
            } else if (ofStatus) {
                byStatus.put(Integer.parseInt(of), file);
            } else {
                byException.put(of, file);
            }
            if (!Files.isReadable(file)) {
                wrong.accept(name, file + " cannot be read: the server's own page is shown");
            }
        });
        String report = attributes.getOrDefault("showReport", "true");
        return new ErrorFiles(byStatus, byException, report.equalsIgnoreCase("true"));
    }

    @Override
    public byte @Nullable [] page(int status, @Nullable Throwable thrown) {
        Path file = thrown == null ? null : ofClass(thrown.getClass());
        if (file == null) {
            file = byStatus.getOrDefault(status, byStatus.get(OTHERS));
        }
        if (file == null) {
            return null;
        }
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the page of an error cannot be read", e);
            return null;
        }
    }

    private @Nullable Path ofClass(Class<?> thrown) {
        for (Class<?> type = thrown; type != null; type = type.getSuperclass()) {
            Path file = byException.get(type.getName());
            if (file != null) {
                return file;
            }
        }
        return null;
    }
}
