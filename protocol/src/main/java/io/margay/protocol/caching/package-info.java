/// What a shared cache decides (RFC 9111), as pure functions of fields and times: what may be
/// stored, how long it is fresh, and who may get it.
@NullMarked
package io.margay.protocol.caching;

import org.jspecify.annotations.NullMarked;
