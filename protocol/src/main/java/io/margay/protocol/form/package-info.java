/// The content of HTML forms: `application/x-www-form-urlencoded` and `multipart/form-data`.
@NullMarked
package io.margay.protocol.form;

import org.jspecify.annotations.NullMarked;
