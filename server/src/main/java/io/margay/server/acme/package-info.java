/// Certificates that authorities issue by ACME (RFC 8555): what is wanted, what authorities are
/// answered, and the seam to what orders them.
@NullMarked
package io.margay.server.acme;

import org.jspecify.annotations.NullMarked;
