/// What is measured by a procedure of its own: starts, pressure, profiles, memory of handshakes,
/// the load generator itself.
@NullMarked
package io.margay.lab.study;

import org.jspecify.annotations.NullMarked;
