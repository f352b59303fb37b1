/// Where sessions are kept outside the process: what an engine offers, as bytes, and how one is
/// found by its name. Implemented by modules that bring the client library of an engine.
@NullMarked
package io.margay.servlet.session.engine;

import org.jspecify.annotations.NullMarked;
