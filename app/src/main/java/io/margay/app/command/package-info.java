/// The commands of `margay`, and how a server is started and watched from the command line.
@NullMarked
package io.margay.app.command;

import org.jspecify.annotations.NullMarked;
