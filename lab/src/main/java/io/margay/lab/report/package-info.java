/// Tables and pages of what was measured.
@NullMarked
package io.margay.lab.report;

import org.jspecify.annotations.NullMarked;
