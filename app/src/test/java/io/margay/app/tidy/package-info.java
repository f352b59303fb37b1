/// The rules of style and of layering that a machine can check, run over the whole source tree.
@NullMarked
package io.margay.app.tidy;

import org.jspecify.annotations.NullMarked;
