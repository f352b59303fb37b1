/// One description of each section of `margay.yaml`, from which it is read, written and documented.
@NullMarked
package io.margay.app.config.binding;

import org.jspecify.annotations.NullMarked;
