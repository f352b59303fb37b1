package io.margay.app;
import io.margay.app.config.MargayConfig;
/// TEMPORARY
public final class MargayServer implements AutoCloseable { public void close() {} void reload(MargayConfig c) {} void awaitStop() {} }
