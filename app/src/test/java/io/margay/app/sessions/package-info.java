/// Sessions of the whole server.
@NullMarked
package io.margay.app.sessions;

import org.jspecify.annotations.NullMarked;
