/// Lets Arquillian deploy the archives of the Jakarta TCKs in a server of this process.
@NullMarked
package io.margay.tck;

import org.jspecify.annotations.NullMarked;
