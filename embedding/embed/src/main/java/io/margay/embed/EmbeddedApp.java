package io.margay.embed;

import io.margay.servlet.WebApp;

/// An application that runs in an embedded server. Immutable.
///
/// @param end stops it and lets go of its files
record EmbeddedApp(WebApp webApp, Runnable end) {}
