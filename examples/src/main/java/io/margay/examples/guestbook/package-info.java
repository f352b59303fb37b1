/// A page that reads and writes rows of a database.
@NullMarked
package io.margay.examples.guestbook;

import org.jspecify.annotations.NullMarked;
