/// What the console in a browser needs of the server beside its API: its files, events while it is
/// open, the newest lines of the log, and profiles on demand.
@NullMarked
package io.margay.app.console;

import org.jspecify.annotations.NullMarked;
