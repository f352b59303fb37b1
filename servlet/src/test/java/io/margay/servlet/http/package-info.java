/// The container over real connections.
@NullMarked
package io.margay.servlet.http;

import org.jspecify.annotations.NullMarked;
