/// What is done for requests on their threads, for those who tell of it.
@NullMarked
package io.margay.server.steps;

import org.jspecify.annotations.NullMarked;
