/// What tests of several modules share: inputs replayed cut at every position, vectors in readable
/// files, a client that sends and shows raw bytes. Imports nothing of Margay.
@NullMarked
package io.margay.testkit;

import org.jspecify.annotations.NullMarked;
