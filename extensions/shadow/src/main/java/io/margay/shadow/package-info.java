/// What two servers answer to the same requests, compared: fields, cookies and content, without
/// what differs by itself.
@NullMarked
package io.margay.shadow;

import org.jspecify.annotations.NullMarked;
