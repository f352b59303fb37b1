/// What every HTTP version shares: method, status, fields, targets, and errors (RFC 9110).
@NullMarked
package io.margay.protocol.http;

import org.jspecify.annotations.NullMarked;
