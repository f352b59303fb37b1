package io.margay.servlet.deploy;

import io.margay.servlet.jsp.JspSettings;
import io.margay.servlet.naming.ServerResources;
import io.margay.servlet.settings.ApplicationConversion;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.servlet.xml.DescriptorLimits;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How applications are deployed. Immutable.
///
/// @param workFolder of this server process alone: unpacked WARs, class indexes, translated pages,
///   temporary files and kept sessions; made when needed
/// @param welcomeFiles for applications that name none
/// @param encoding of requests and responses where the application names none; null = that of the
///   specification, ISO-8859-1
/// @param libraryScan which libraries of applications that do not say themselves are looked through
/// @param container the class loader with the Jakarta APIs and the page engine, of which
///   applications see just those, or [SharedLibraries]
/// @param resources that applications share; they are not ended with them
/// @param vendor reads what applications declare for another server
/// @param conversion what is done with applications that were written for another platform
/// @param webApp changes the settings that each application would start with
@RecordBuilder
public record DeploySettings(
        Path workFolder,
        WarLimits warLimits,
        DescriptorLimits descriptorLimits,
        JspSettings jsp,
        List<String> welcomeFiles,
        @Nullable String encoding,
        LibraryScan libraryScan,
        ClassLoader container,
        ServerResources resources,
        VendorDescriptors vendor,
        ApplicationConversion conversion,
        UnaryOperator<WebAppSettings> webApp)
        implements DeploySettingsBuilder.With {
    public DeploySettings {
        workFolder = workFolder.toAbsolutePath().normalize();
        welcomeFiles = List.copyOf(welcomeFiles);
    }

    /// Default limits, pages in production mode, and the welcome files and UTF-8 of Tomcat 11's own
    /// settings.
    public static DeploySettings in(Path workFolder) {
        return new DeploySettings(
                workFolder,
                WarLimits.defaults(),
                DescriptorLimits.defaults(),
                JspSettings.defaults(),
                List.of("index.html", "index.htm", "index.jsp"),
                "UTF-8",
                LibraryScan.ALL,
                DeploySettings.class.getClassLoader(),
                ServerResources.none(DeploySettings.class.getClassLoader()),
                VendorDescriptors.NONE,
                ApplicationConversion.NONE,
                UnaryOperator.identity());
    }
}
