package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.section;

import io.margay.app.config.AccessLogSettings;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.rules.MatchKeys;
import java.nio.file.Path;

/// The keys of an access log.
public final class LogKeys {
    static final Keys<AccessLogSettings> KEYS =
            Binding.of(
                            "an access log",
                            new AccessLogSettings(
                                    Path.of("/access.log"), AccessLogSettings.FORMAT_DEFAULT))
                    .keys(
                            """
                            file [required]: File to append to; its folder is created.
                            format <common, combined, json, or a format string of Apache httpd>:
                              Format of a line: common, combined, json, or a format string of Apache
                              httpd, such as `%h %t "%r" %>s %D`.
                            rotate-at (rotateBytes) [=never]: Maximum size: the file is then renamed
                              with the time in seconds appended, and a new one begun.
                            """)
                    .then(MatchKeys::when);

    static final Form<AccessLogSettings> LOG = section(KEYS);

    private LogKeys() {}
}
