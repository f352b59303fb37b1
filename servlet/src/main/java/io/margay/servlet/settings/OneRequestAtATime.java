package io.margay.servlet.settings;

/// A servlet of which an instance never has two requests at once: further instances are made, up to
/// a bound, as Tomcat did for `SingleThreadModel`.
public interface OneRequestAtATime {}
