package io.margay.spring.boot;

import io.margay.embed.WebContext;
import io.margay.servlet.resource.CombinedResources;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/// Gives a context the files that it serves: a document root, and `META-INF/resources` of libraries
/// wherever Spring Boot has these. Used by the thread that starts the application.
final class StaticResources {
    private static final Log LOG = LogFactory.getLog(StaticResources.class);
    private static final String RESOURCES = "META-INF/resources";

    /// What starts an executable WAR lies among its files.
    private static final Set<String> HIDDEN = Set.of("/org/springframework/boot/loader/");

    private final WebContext context;
    private @Nullable Path copies;
    private int copied;

    StaticResources(WebContext context) {
        this.context = context;
    }

    /// A folder, or the WAR that the program is.
    void addRoot(Path root) {
        if (Files.isRegularFile(root)) {
            context.resources(new CombinedResources.Jar(root, "", HIDDEN));
        } else {
            context.resources(root);
        }
    }

    /// A folder, a JAR, or a JAR within an executable archive, of which a copy is read.
    ///
    /// @return whether pages may be in it; those of a JAR within a JAR are not served
    boolean addLibrary(URL url) {
        String text = url.toString();
        String bare = text.replaceFirst("^jar:((file|nested):.*?)!/$", "$1");
        try {
            if (bare.startsWith("nested:")) {
                add(copy(bare));
                return false;
            }
            if (bare.startsWith("file:")) {
                return add(Path.of(new URI(bare)));
            }
            LOG.debug("Static resources of " + url + " are left to the class path");
        } catch (IOException | URISyntaxException | IllegalArgumentException e) {
            LOG.warn("Static resources of " + url + " are not served", e);
        }
        return false;
    }

    private boolean add(Path file) {
        if (Files.isRegularFile(file)) {
            context.resources(new CombinedResources.Jar(file, RESOURCES));
            return true;
        }
        Path inside = file.resolve(RESOURCES);
        if (Files.isDirectory(inside)) {
            context.resources(inside);
            return true;
        }
        return false;
    }

    private Path copy(String nested) throws IOException {
        Path folder = copies;
        if (folder == null) {
            folder = Files.createTempDirectory("margay-libraries-");
            folder.toFile().deleteOnExit();
            copies = folder;
        }
        Path copy = folder.resolve(++copied + ".jar");
        try (InputStream in = URI.create(nested).toURL().openStream()) {
            Files.copy(in, copy);
        }
        copy.toFile().deleteOnExit();
        return copy;
    }
}
