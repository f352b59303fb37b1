/// Keys of `deploy` that are sections of their own.
@NullMarked
package io.margay.app.config.file.deploy;

import org.jspecify.annotations.NullMarked;
