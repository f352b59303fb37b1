/// Commands and their options as tables: one table is what is parsed, what `--help` prints and what
/// the reference says.
@NullMarked
package io.margay.app.cli;

import org.jspecify.annotations.NullMarked;
