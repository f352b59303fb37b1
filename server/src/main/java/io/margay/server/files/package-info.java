/// Static files.
@NullMarked
package io.margay.server.files;

import org.jspecify.annotations.NullMarked;
