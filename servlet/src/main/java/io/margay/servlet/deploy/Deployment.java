package io.margay.servlet.deploy;

import io.margay.servlet.WebApp;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.settings.RequestRewriting;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A running application. Thread-safe.
public final class Deployment {
    private static final System.Logger LOG = System.getLogger(Deployment.class.getName());

    private final Path source;
    private final WebApp webApp;
    private final WebResources resources;
    private final WebAppClassLoader loader;
    private final Path temporary;
    private final Places places;
    private final AtomicBoolean over = new AtomicBoolean();

    Deployment(
            Path source,
            WebApp webApp,
            WebResources resources,
            WebAppClassLoader loader,
            Path temporary,
            Places places) {
        this.source = source;
        this.places = places;
        this.webApp = webApp;
        this.resources = resources;
        this.loader = loader;
        this.temporary = temporary;
    }

    /// Where the files of an application are.
    ///
    /// @param folder of the application: unpacked, or the one that was deployed
    /// @param pages translated ones
    /// @param unpacked of a WAR, or the folder that was deployed: `folder`, unless that was
    ///   converted
    /// @param conversion how it was converted; null = it was not
    /// @param rewriting rules by which its requests are rewritten; null = there are none
    record Places(
            Path folder,
            Path pages,
            Path unpacked,
            @Nullable String conversion,
            @Nullable RequestRewriting rewriting) {}

    /// What its conversion from another platform has done and what that took; null = it needed
    /// none.
    public @Nullable String conversion() {
        return places.conversion;
    }

    /// Empty for the root.
    public String contextPath() {
        return webApp.contextPath();
    }

    public WebApp webApp() {
        return webApp;
    }

    /// The files that it serves.
    public WebResources files() {
        return resources;
    }

    /// Rules by which its requests are rewritten before it is asked; null = there are none.
    public @Nullable RequestRewriting rewriting() {
        return places.rewriting;
    }

    /// What loads its classes: whoever holds it keeps the application in memory.
    public ClassLoader classLoader() {
        return loader;
    }

    /// Whether it has been undeployed, or is being so.
    public boolean isOver() {
        return over.get();
    }

    /// Stops the application and lets go of everything it held. Requests must have ended. A second
    /// call does nothing.
    ///
    /// @return what the application has left behind in the JVM, a line each; the log has it, too
    public List<String> undeploy() {
        if (!stop()) {
            return List.of();
        }
        List<String> left = LeftBehind.by(loader);
        left.forEach(line -> LOG.log(Level.WARNING, "{0} leaves behind: {1}", source, line));
        return left;
    }

    /// The same where the JVM ends next: what the application leaves behind ends with it, and is
    /// not looked for.
    ///
    /// @return nothing
    public List<String> undeployAtExit() {
        boolean _ = stop();
        return List.of();
    }

    private boolean stop() {
        if (!over.compareAndSet(false, true)) {
            return false;
        }
        try {
            webApp.stop();
        } catch (RuntimeException | LinkageError e) {
            LOG.log(Level.WARNING, source + " did not stop as it should", e);
        }
        resources.close();
        close(loader); // And with it what the container has made for the application.
        Folders.deleteQuietly(temporary);
        return true;
    }

    /// Closes what others have opened of the application's files, after it has been undeployed and
    /// while no other deployment [shares][#sharesFilesWith] them.
    ///
    /// @param delete whether what was made of a WAR, unpacked files and translated pages, is
    ///   deleted; otherwise the next deployment of the same WAR finds it
    public void letGoOfFiles(boolean delete) {
        loader.closeCached();
        if (delete && !places.folder.equals(realPath(source))) {
            Folders.deleteQuietly(places.folder);
            Folders.deleteQuietly(places.pages);
            if (!places.unpacked.equals(realPath(source))) {
                Folders.deleteQuietly(places.unpacked);
            }
        }
    }

    private static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path; // It has gone: it was not the folder that is there.
        }
    }

    /// Whether another deployment uses the same files.
    public boolean sharesFilesWith(Deployment other) {
        return places.folder.equals(other.places.folder);
    }

    static void close(WebAppClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0} was not closed: {1}", loader.getName(), e.toString());
        }
    }
}
