/// What a server is to do: immutable records, and the file `margay.yaml` that they are read from.
@NullMarked
package io.margay.app.config;

import org.jspecify.annotations.NullMarked;
