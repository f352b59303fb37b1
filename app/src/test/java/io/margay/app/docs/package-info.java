/// What the documents promise is so: links, commands, configurations.
@NullMarked
package io.margay.app.docs;

import org.jspecify.annotations.NullMarked;
