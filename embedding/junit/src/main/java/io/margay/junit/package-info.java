/// An extension of JUnit: [io.margay.junit.MargayExtension].
@NullMarked
package io.margay.junit;

import org.jspecify.annotations.NullMarked;
