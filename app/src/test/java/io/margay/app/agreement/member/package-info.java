/// What members and browsers receive behind Apache httpd and behind Margay, of the same files and
/// requests.
@NullMarked
package io.margay.app.agreement.member;

import org.jspecify.annotations.NullMarked;
