package io.margay.maven;

import io.margay.app.Margay;
import io.margay.app.MargayServer;
import io.margay.app.config.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Serves a web application that is worked on. Its files are copied into a folder, from which it is
/// served; a changed page is copied alone, and with a changed class, library or descriptor the
/// application is deployed anew and takes over the sessions. Confined to one thread, but for
/// [#close].
final class ProjectServer implements AutoCloseable {
    /// Whose change is seen by deploying anew only.
    private static final String HIDDEN = "WEB-INF/";

    /// Pages and tag files of `WEB-INF` are looked at by the page engine.
    private static final List<String> PAGES = List.of(".jsp", ".jspf", ".jspx", ".tag", ".tagx");

    private static final String CLASSES = "WEB-INF/classes/";

    /// Looks that must agree before classes are believed to be gone: a compiler removes them first.
    static final int LOOKS_WHEN_GONE = 10;

    private static final String GENERATION = "margay.generation";

    private final Sources sources;
    private final Path folder;
    private final Path work;
    private final String contextPath;
    private final int port;
    private final MargayServer server;
    private Map<String, Sources.Entry> served;
    private Map<String, Sources.Entry> seen;
    private int quietLooks;
    private int generation;

    /// Starts.
    ///
    /// @param work a folder that nobody else writes to
    /// @throws IOException when files cannot be copied
    /// @throws StartException when the application or the listener cannot be started
    ProjectServer(Sources sources, Path work, String contextPath, int port) throws IOException {
        this.sources = sources;
        this.work = work;
        this.contextPath = contextPath;
        this.port = port;
        folder = work.resolve("webapp");
        served = sources.look();
        seen = served;
        clear();
        copy(Map.of(), served);
        server = builder().start();
    }

    /// Another parameter has the application deployed anew.
    private Margay.Builder builder() {
        return Margay.builder()
                .http(port)
                .work(work.resolve("work"))
                .app(contextPath, folder, Map.of(GENERATION, String.valueOf(generation)));
    }

    /// The ports that are listened at.
    List<Integer> ports() {
        return server.ports();
    }

    MargayServer server() {
        return server;
    }

    /// What a look has found.
    enum Look {
        UNCHANGED,
        /// Files are still being written, or were a moment ago.
        CHANGING,
        /// Pages or files were copied.
        COPIED,
        /// The application was deployed anew.
        DEPLOYED
    }

    /// Looks at the sources. What two looks in a row have found changed alike is served; where
    /// classes are gone, [#LOOKS_WHEN_GONE] more must agree.
    ///
    /// @throws IOException when files cannot be read or copied; the next look tries again
    /// @throws StartException when the application cannot be started; the one before goes on
    Look look() throws IOException {
        Map<String, Sources.Entry> now = sources.look();
        quietLooks = now.equals(seen) ? quietLooks + 1 : 0;
        seen = now;
        if (now.equals(served)) {
            return Look.UNCHANGED;
        }
        boolean gone =
                served.keySet().stream()
                        .anyMatch(name -> name.startsWith(CLASSES) && !now.containsKey(name));
        if (quietLooks < (gone ? LOOKS_WHEN_GONE : 1)) {
            return Look.CHANGING;
        }
        boolean anew = copy(served, now);
        served = now;
        if (!anew) {
            return Look.COPIED;
        }
        generation++;
        server.reload(builder().config());
        return Look.DEPLOYED;
    }

    /// Removes what an earlier run has left.
    private void clear() throws IOException {
        if (!Files.exists(folder)) {
            Files.createDirectories(folder);
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
        }
    }

    /// @return whether the application must be deployed anew
    private boolean copy(Map<String, Sources.Entry> before, Map<String, Sources.Entry> now)
            throws IOException {
        Map<String, Sources.Entry> gone = new HashMap<>(before);
        boolean anew = false;
        for (var one : now.entrySet()) {
            if (!one.getValue().equals(gone.remove(one.getKey()))) {
                Path target = folder.resolve(one.getKey());
                Files.createDirectories(target.getParent());
                Files.copy(
                        one.getValue().file(),
                        target,
                        StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.COPY_ATTRIBUTES);
                anew |= needsDeployment(one.getKey());
            }
        }
        for (String name : gone.keySet()) {
            Files.deleteIfExists(folder.resolve(name));
            anew |= needsDeployment(name);
        }
        return anew;
    }

    private static boolean needsDeployment(String name) {
        return name.equals("META-INF/context.xml")
                || (name.startsWith(HIDDEN)
                        && (name.startsWith(CLASSES) || PAGES.stream().noneMatch(name::endsWith)));
    }

    @Override
    public void close() {
        server.close();
    }
}
