/// What a process knows beside its configuration, and the process after it goes on with: the form
/// in which it travels. Nothing here asks for the time or opens a file.
@NullMarked
package io.margay.server.handover;

import org.jspecify.annotations.NullMarked;
