/// A Spring MVC application with pages, as small as one can be that uses what larger ones do.
@NullMarked
package io.margay.frameworks.mvc;

import org.jspecify.annotations.NullMarked;
