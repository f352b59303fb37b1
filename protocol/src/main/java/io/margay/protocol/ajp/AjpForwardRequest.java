package io.margay.protocol.ajp;

import io.margay.protocol.http.RequestHead;
import org.jspecify.annotations.Nullable;

/// A request as a front end forwards it: its head, and what the front end knows of the client.
/// Immutable.
///
/// @param head the head, by the same rules as over HTTP; `expectContinue` is false, since the front
///   end answers that itself
/// @param remoteAddress the client's address as text, or null
/// @param remoteHost the client's name, or null
/// @param serverName the front end's name for itself, or null
/// @param serverPort the port the client asked, 0 to 65535
/// @param secure whether the client came by TLS
/// @param attributes everything else
public record AjpForwardRequest(
        RequestHead head,
        @Nullable String remoteAddress,
        @Nullable String remoteHost,
        @Nullable String serverName,
        int serverPort,
        boolean secure,
        AjpAttributes attributes) {}
