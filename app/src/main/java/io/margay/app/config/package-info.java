/// What a server is to do: immutable records, whoever makes them.
@NullMarked
package io.margay.app.config;

import org.jspecify.annotations.NullMarked;
