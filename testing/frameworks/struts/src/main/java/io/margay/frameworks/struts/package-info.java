/// A Struts application, as small as one can be that uses what larger ones do.
@NullMarked
package io.margay.frameworks.struts;

import org.jspecify.annotations.NullMarked;
