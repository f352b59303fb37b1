package io.margay.servlet.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes applications that were written for another platform into such that run here, before
/// anything of them is read. Thread-safe.
public interface ApplicationConversion {
    /// Every application is deployed as it is.
    ApplicationConversion NONE = (_, _) -> null;

    /// Where what is made of one application is kept.
    ///
    /// @param application a folder for this application alone; made when needed
    /// @param libraries a folder for libraries, which applications share; made when needed
    /// @param ours whether the application's folder is one that the server has made of a WAR
    record Places(Path application, Path libraries, boolean ours) {}

    /// What an application has been made into.
    ///
    /// @param folder what is deployed
    /// @param account what was done and what it took, for the log
    /// @param pages how its pages are compiled
    record Converted(Path folder, String account, PageClasses pages) {}

    /// Converts an application that needs it.
    ///
    /// @param folder of the application; nothing in it is changed
    /// @return null when the application is deployed as it is
    /// @throws io.margay.servlet.deploy.DeploymentException when it cannot be, or shall not be
    @Nullable Converted convert(Path folder, Places places) throws IOException;

    /// Converts folders of classes and libraries that an application has from elsewhere, and that
    /// has been converted itself.
    ///
    /// @return the same in their order, with those first that were made of folders
    default List<Path> converted(List<Path> classPath, Places places) throws IOException {
        return classPath;
    }
}
