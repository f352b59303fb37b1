/// What a file with many hosts has in it, and what is kept of it from one reading to the next.
@NullMarked
package io.margay.app.config.file.hosts;

import org.jspecify.annotations.NullMarked;
