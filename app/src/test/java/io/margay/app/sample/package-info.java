/// Servlets that tests deploy.
@NullMarked
package io.margay.app.sample;

import org.jspecify.annotations.NullMarked;
