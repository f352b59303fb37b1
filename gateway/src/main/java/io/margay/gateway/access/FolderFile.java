package io.margay.gateway.access;

import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.rules.compiled.FolderChanges;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a file in a folder, such as `.htaccess`, says of what lies there. Immutable.
///
/// @param refusal the status of every answer, whoever asks, where it cannot be followed; 0 = it can
/// @param section who may ask, and where requests lead
/// @param changes what is changed in requests and responses; null = nothing
/// @param peers upstreams to which its rules pass requests on, by their names
public record FolderFile(
        int refusal,
        AccessSection section,
        @Nullable FolderChanges changes,
        Map<String, UpstreamConfig> peers) {
    public FolderFile {
        peers = Map.copyOf(peers);
    }

    /// Of a file that can be followed.
    public FolderFile(
            AccessSection section,
            @Nullable FolderChanges changes,
            Map<String, UpstreamConfig> peers) {
        this(0, section, changes, peers);
    }

    /// Closes the folder. Nobody is asked first who they are, as in httpd, which finds such a file
    /// on its way to what is asked for.
    ///
    /// @param status 400 to 599
    public static FolderFile closed(int status) {
        return new FolderFile(status, AccessSection.NONE, null, Map.of());
    }
}
