/// What the file of sessions is made of: chunks with authentication codes, and the key beside it.
@NullMarked
package io.margay.servlet.session.file;

import org.jspecify.annotations.NullMarked;
