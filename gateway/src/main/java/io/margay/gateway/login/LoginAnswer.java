package io.margay.gateway.login;

import io.margay.protocol.http.Fields;

/// What a service has said for the client to get in place of what it has asked for. Immutable.
///
/// @param status 401, 403, or that of a redirection
/// @param content lent for ever: nobody changes it
@SuppressWarnings("ArrayRecordComponent") // Made once, and never compared.
public record LoginAnswer(int status, Fields fields, byte[] content) {}
