package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.bytes;
import static io.margay.app.config.binding.Forms.path;
import static io.margay.app.config.binding.Forms.section;
import static io.margay.app.config.binding.Forms.text;

import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.AccessLogSettingsBuilder;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.rules.MatchKeys;
import java.nio.file.Path;
import java.util.Map;

/// The keys of an access log.
public final class LogKeys {
    static final Binding<AccessLogSettings, AccessLogSettingsBuilder> KEYS =
            Binding.of(
                            "an access log",
                            new AccessLogSettings(
                                    Path.of("/access.log"), AccessLogSettings.FORMAT_DEFAULT),
                            AccessLogSettingsBuilder::builder,
                            AccessLogSettingsBuilder::build)
                    .required("file", path(), "Appended to; its folder is made when missing.")
                    .key(
                            "format",
                            text("common, combined, json, or a format string of Apache httpd"),
                            "Format of a line: common, combined, json, or a format string of Apache"
                                    + " httpd, such as `%h %t \"%r\" %>s %D`.")
                    .key(
                            "rotate-at",
                            bytes(0, Long.MAX_VALUE),
                            log -> log.rotateBytes() == 0 ? null : log.rotateBytes(),
                            AccessLogSettingsBuilder::rotateBytes,
                            "never",
                            "Size that the file does not exceed: before, it gets the time in"
                                    + " seconds behind its name, and another is begun.")
                    .key(
                            MatchKeys.WHEN,
                            MatchKeys.CONDITIONS,
                            MatchKeys.ALWAYS,
                            MatchKeys.WHEN_MEANS);

    static final Form<AccessLogSettings> LOG = section(KEYS);

    private LogKeys() {}

    /// A log as it stands in the file.
    public static Map<String, Object> write(AccessLogSettings log) {
        return KEYS.write(log, KEYS.defaults());
    }
}
