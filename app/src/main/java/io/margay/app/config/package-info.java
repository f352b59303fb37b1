/// The configuration of a server: immutable records, made from a file, options or a builder.
@NullMarked
package io.margay.app.config;

import org.jspecify.annotations.NullMarked;
