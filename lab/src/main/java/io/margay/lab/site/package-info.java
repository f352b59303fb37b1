/// The folder that all servers of a run serve, with what is made for it.
@NullMarked
package io.margay.lab.site;

import org.jspecify.annotations.NullMarked;
