/// What the embedding side passes to an application: settings and seams.
@NullMarked
package io.margay.servlet.settings;

import org.jspecify.annotations.NullMarked;
