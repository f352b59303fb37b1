/// How one process of the server follows another without a refused connection: what the new one is
/// given by the old one or by the service manager, and how it is started.
@NullMarked
package io.margay.app.upgrade;

import org.jspecify.annotations.NullMarked;
