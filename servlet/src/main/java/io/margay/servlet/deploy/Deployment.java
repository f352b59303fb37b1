package io.margay.servlet.deploy;

import io.margay.servlet.WebApp;
import io.margay.servlet.resource.WebResources;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// A running application. Thread-safe.
public final class Deployment {
    private static final System.Logger LOG = System.getLogger(Deployment.class.getName());

    private final Path source;
    private final WebApp webApp;
    private final WebResources resources;
    private final WebAppClassLoader loader;
    private final Path temporary;
    private final AtomicBoolean over = new AtomicBoolean();

    Deployment(
            Path source,
            WebApp webApp,
            WebResources resources,
            WebAppClassLoader loader,
            Path temporary) {
        this.source = source;
        this.webApp = webApp;
        this.resources = resources;
        this.loader = loader;
        this.temporary = temporary;
    }

    /// The WAR or folder that was deployed.
    public Path source() {
        return source;
    }

    /// Empty for the root.
    public String contextPath() {
        return webApp.contextPath();
    }

    public WebApp webApp() {
        return webApp;
    }

    /// What loads its classes: whoever holds it keeps the application in memory.
    public ClassLoader classLoader() {
        return loader;
    }

    /// Stops the application and lets go of everything it held. Requests must have ended. A second
    /// call does nothing.
    public void undeploy() {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        try {
            webApp.stop();
        } catch (RuntimeException | LinkageError e) {
            LOG.log(Level.WARNING, source + " did not stop as it should", e);
        } finally {
            release(resources, loader, temporary);
        }
    }

    static void release(WebResources resources, WebAppClassLoader loader, Path temporary) {
        resources.close();
        close(loader);
        Folders.deleteQuietly(temporary);
    }

    static void close(WebAppClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0} was not closed: {1}", loader.getName(), e.toString());
        }
    }
}
