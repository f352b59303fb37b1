/// Applications of frameworks, driven through their main paths over HTTP.
@NullMarked
package io.margay.frameworks.tests;

import org.jspecify.annotations.NullMarked;
