package io.margay.servlet.descriptor;

import java.util.Set;

/// The `ordering` element of a web-fragment.xml (Servlet 6.1 §8.2.2). Immutable.
record Ordering(Set<String> before, boolean beforeOthers, Set<String> after, boolean afterOthers) {}
