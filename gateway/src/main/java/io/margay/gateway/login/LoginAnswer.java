package io.margay.gateway.login;

import io.margay.protocol.http.Fields;

/// What the client gets in place of what it has asked for, as a service says it or the login at a
/// provider has it. Immutable.
///
/// @param status 401, 403, or that of a redirection; of a login others, too
/// @param content lent for ever: nobody changes it
@SuppressWarnings("ArrayRecordComponent") // Made once, and never compared.
public record LoginAnswer(int status, Fields fields, byte[] content) {}
