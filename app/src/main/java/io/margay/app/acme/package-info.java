/// Certificates that the server gets by itself: their keys in the file, and what orders them.
@NullMarked
package io.margay.app.acme;

import org.jspecify.annotations.NullMarked;
