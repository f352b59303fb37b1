package io.margay.app.command;

import io.margay.app.config.DeployOptions;
import io.margay.app.config.StartException;
import io.margay.app.deploy.SharedResources;
import io.margay.compat.tomcat.application.TomcatApplications;
import io.margay.servlet.deploy.DeploySettings;
import io.margay.servlet.deploy.Deployer;
import io.margay.servlet.deploy.DeploymentException;
import io.margay.servlet.deploy.WebAppsFolder;
import io.margay.servlet.xml.DescriptorException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Checks applications without starting them: archives are unpacked into a folder that is deleted
/// afterwards, and declarations are read. Stateless.
final class AppCheck {
    private AppCheck() {}

    /// What is wrong with a WAR or exploded folder, a line each.
    ///
    /// @param options of whose libraries applications may have classes
    /// @param notes takes what is no fault and yet to be known, a line each
    static List<String> app(Path app, DeployOptions options, Consumer<String> notes) {
        return check(List.of(app), options, notes);
    }

    /// What is wrong with the applications of a folder.
    static List<String> folder(Path folder, DeployOptions options, Consumer<String> notes) {
        try {
            return check(
                    WebAppsFolder.read(folder).applications().stream()
                            .map(WebAppsFolder.Application::file)
                            .toList(),
                    options,
                    notes);
        } catch (DeploymentException e) {
            return lines(folder, e);
        }
    }

    private static List<String> check(
            List<Path> apps, DeployOptions options, Consumer<String> notes) {
        List<String> problems = new ArrayList<>();
        DeployOptions shared = DeployOptions.defaults().withLibraries(options.libraries());
        SharedResources libraries = SharedResources.of(shared, SharedResources.NONE);
        try {
            Path work = Files.createTempDirectory("margay-check-");
            try {
                Deployer deployer =
                        new Deployer(
                                DeploySettings.in(work)
                                        .withContainer(libraries.container())
                                        .withVendor(new TomcatApplications())
                                        .withConversion(options.javax().conversion()));
                for (Path app : apps) {
                    try {
                        String conversion = deployer.check(app);
                        if (conversion != null) {
                            notes.accept(app + ": " + conversion);
                        }
                    } catch (DeploymentException e) {
                        problems.addAll(lines(app, e));
                    }
                }
            } finally {
                libraries.close();
                delete(work);
            }
        } catch (IOException e) {
            throw new StartException("no temporary folder can be used: " + e.getMessage(), e);
        }
        return problems;
    }

    /// One line per declaration that is wrong, or the one reason.
    private static List<String> lines(Path app, DeploymentException e) {
        return e.getCause() instanceof DescriptorException wrong
                ? String.valueOf(wrong.getMessage()).lines().map(line -> app + ": " + line).toList()
                : List.of(String.valueOf(e.getMessage()).replace('\n', ' '));
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException failure) throws IOException {
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
