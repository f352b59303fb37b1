/// A server inside a program: [io.margay.embed.Margay] builds it.
@NullMarked
package io.margay.embed;

import org.jspecify.annotations.NullMarked;
