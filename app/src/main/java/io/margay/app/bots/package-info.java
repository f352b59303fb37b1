/// How the keys of bots are fetched from their sites.
@NullMarked
package io.margay.app.bots;

import org.jspecify.annotations.NullMarked;
