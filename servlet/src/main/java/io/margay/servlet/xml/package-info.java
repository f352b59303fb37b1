/// XML as a tree with line numbers, for the descriptors and for Tomcat's files.
@NullMarked
package io.margay.servlet.xml;

import org.jspecify.annotations.NullMarked;
