/// Where users may be kept besides a file: databases and directories; and what realms are combined
/// by.
@NullMarked
package io.margay.servlet.realm;

import org.jspecify.annotations.NullMarked;
