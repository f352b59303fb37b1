/// The scripts that users call, run as they are.
@NullMarked
package io.margay.app.script;

import org.jspecify.annotations.NullMarked;
