/// `margay.yaml`: which keys there are, and what is made of them. Knows the settings; they do not
/// know it.
@NullMarked
package io.margay.app.config.file;

import org.jspecify.annotations.NullMarked;
