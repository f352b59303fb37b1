/// What is counted, in a form that all who show it can go through.
@NullMarked
package io.margay.server.meter;

import org.jspecify.annotations.NullMarked;
