package io.margay.app.shared;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.yaml.Settings;
import java.util.Optional;
import java.util.regex.Pattern;

/// The keys of what servers share, and how they are read. Stateless.
public final class SharedKeys {
    private static final String SHARED = "shared";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public static final Keys<SharedSettings> SETTINGS =
            Binding.of(
                            "what servers share",
                            SharedSettingsBuilder.builder()
                                    .url("-")
                                    .key("-".repeat(SharedSettings.KEY_CHARS_MIN))
                                    .group(SharedSettings.GROUP_DEFAULT)
                                    .node("")
                                    .changes(true)
                                    .limits(true)
                                    .tickets(true)
                                    .certificates(true)
                                    .build())
                    .form("key", secret(SharedSettings.KEY_CHARS_MIN))
                    .form("group", matching("a name", NAME.asMatchPredicate()))
                    .form("node", matching("a name", NAME.asMatchPredicate()))
                    .keys(
                            """
                            url <a URL, as in redis://host:6379> [required]: Valkey or Redis;
                              written as `url` of `sessions`.
                            key [required]: The secret of the group, the same on all servers: what
                              they share is encrypted with it.
                            group: Servers of one group share; an engine may have several.
                            node [the host name of the machine]: What the others call this server.
                            changes: Applies manual changes of members at every gateway.
                            limits: Counts `rate-limits` across all gateways.
                            tickets: TLS sessions resume at every server, with OpenSSL.
                            certificates: Servers with the same `acme` order a certificate once and
                              share it.
                            """);

    private SharedKeys() {}

    /// The word that stands for the URL of this section where another one needs an engine.
    public static final String WORD = "shared";

    /// The URL of the engine; empty = nothing is shared.
    public static Optional<String> url(Settings root) {
        return root.section(SHARED).flatMap(section -> section.text("url"));
    }

    /// A URL of another section, in which `shared` stands for that of this one.
    ///
    /// @param section has the key
    public static Optional<String> url(
            Settings root, Settings section, String key, Reading reading) {
        Optional<String> own = section.text(key);
        if (!own.equals(Optional.of(WORD))) {
            return own;
        }
        Optional<String> found = url(root);
        if (found.isEmpty()) {
            String message = "\"" + key + ": shared\" needs \"shared\" with a \"url\"";
            reading.problem(section, key, message);
        }
        return found;
    }
}
