package io.margay.gateway.access;

import io.margay.gateway.rules.compiled.FolderChanges;
import org.jspecify.annotations.Nullable;

/// What a file in a folder, such as `.htaccess`, says of what lies there. Immutable.
///
/// @param section who may ask, and where requests lead
/// @param changes what is changed in requests and responses; null = nothing
public record FolderFile(AccessSection section, @Nullable FolderChanges changes) {}
