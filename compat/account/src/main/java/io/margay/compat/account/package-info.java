/// What has become of each directive of another server's files: the account that `check` and
/// `migrate` show.
@NullMarked
package io.margay.compat.account;

import org.jspecify.annotations.NullMarked;
