package io.margay.compat.tomcat.removed;

import io.margay.servlet.settings.OneRequestAtATime;

/// `SingleThreadModel` of Servlet 2.0.
public interface SingleThreadModel extends OneRequestAtATime {}
