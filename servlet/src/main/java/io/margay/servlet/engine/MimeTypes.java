package io.margay.servlet.engine;

import io.margay.protocol.http.MediaTypes;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Media types of file name extensions: those that the application declares, then the common table.
final class MimeTypes {
    private MimeTypes() {}

    static @Nullable String of(Map<String, String> declared, String extension) {
        String type = declared.get(extension);
        if (type == null) {
            type = declared.get(extension.toLowerCase(Locale.ROOT));
        }
        return type != null ? type : MediaTypes.ofExtension(extension);
    }
}
