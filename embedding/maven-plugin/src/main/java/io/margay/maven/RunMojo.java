package io.margay.maven;

import io.margay.app.config.StartException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/// The goal `margay:run`. Maven fills the fields, as `META-INF/maven/plugin.xml` says. Confined to
/// the thread that Maven runs it on.
public final class RunMojo extends AbstractMojo {
    /// Between two looks at the sources; two that agree are needed.
    private static final Duration EVERY = Duration.ofMillis(300);

    private int port;
    private @Nullable String contextPath;
    private @Nullable File webapp;
    private @Nullable File classes;
    private @Nullable File work;
    private @Nullable MavenProject project;

    /// Made by Maven.
    public RunMojo() {}

    @Override
    public void execute() throws MojoExecutionException {
        if (contextPath == null
                || webapp == null
                || classes == null
                || work == null
                || project == null) {
            throw new MojoExecutionException("Maven has not filled the parameters");
        }
        Sources sources = sources(project, webapp.toPath(), classes.toPath());
        try (ProjectServer server = new ProjectServer(sources, work.toPath(), contextPath, port)) {
            Thread end = Thread.ofPlatform().name("margay-end").unstarted(server::close);
            Runtime.getRuntime().addShutdownHook(end);
            server.server().lines().forEach(getLog()::info);
            getLog().info("Serving " + webapp + ", and again when it changes; Ctrl-C ends it");
            while (!server.server().awaitStop(EVERY)) {
                look(server);
            }
        } catch (StartException e) {
            throw new MojoExecutionException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new MojoExecutionException("files cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(ProjectServer server) {
        try {
            switch (server.look()) {
                case UNCHANGED, CHANGING -> {}
                case COPIED -> getLog().info("Changed files are served");
                case DEPLOYED -> getLog().info("The application is redeployed");
            }
        } catch (StartException e) {
            getLog().error("Not deployed, the previous one continues: " + e.getMessage());
        } catch (IOException e) {
            getLog().debug("Looking again soon", e);
        }
    }

    /// Libraries of the same build are folders of classes while they are not packed.
    private static Sources sources(MavenProject project, Path webapp, Path classes) {
        List<Path> folders = new ArrayList<>();
        List<Path> libraries = new ArrayList<>();
        for (Artifact artifact : project.getArtifacts()) {
            boolean served =
                    Artifact.SCOPE_COMPILE.equals(artifact.getScope())
                            || Artifact.SCOPE_RUNTIME.equals(artifact.getScope());
            File file = artifact.getFile();
            if (served && file != null) {
                if (file.isDirectory()) {
                    folders.add(file.toPath());
                } else if (file.getName().endsWith(".jar")) {
                    libraries.add(file.toPath());
                }
            }
        }
        folders.add(classes);
        return new Sources(webapp, folders, libraries);
    }
}
