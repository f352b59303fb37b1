/// Content codings of responses: which one a client gets, and the encoders.
@NullMarked
package io.margay.server.compression;

import org.jspecify.annotations.NullMarked;
