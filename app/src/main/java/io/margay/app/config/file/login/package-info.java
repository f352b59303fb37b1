/// Keys of `login` that are sections of their own.
@NullMarked
package io.margay.app.config.file.login;

import org.jspecify.annotations.NullMarked;
