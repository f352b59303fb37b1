package io.margay.servlet.descriptor;

import java.util.List;

/// The `absolute-ordering` element of web.xml (Servlet 6.1 §8.2.2). Immutable.
///
/// @param names of fragments; [#OTHERS] stands for all that are not named
record AbsoluteOrdering(List<String> names) {
    /// No fragment can have this name: names are trimmed.
    static final String OTHERS = " others ";
}
