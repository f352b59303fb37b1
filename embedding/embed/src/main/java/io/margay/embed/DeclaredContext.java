package io.margay.embed;

import io.margay.servlet.WebApp;
import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.ErrorPage;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.descriptor.WebAppDescriptorBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorContentBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorGeneralBuilder;
import io.margay.servlet.descriptor.WebAppDescriptorSessionDefBuilder;
import io.margay.servlet.descriptor.WebAppDescriptors;
import io.margay.servlet.jsp.JspSettings;
import io.margay.servlet.jsp.JspSetup;
import io.margay.servlet.resource.CombinedResources;
import io.margay.servlet.resource.WebResources;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.servlet.settings.WebAppSettings.Initializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes a running application of what a program has declared. Stateless.
final class DeclaredContext {
    private DeclaredContext() {}

    /// Starts a context, but for its servlets that load on start-up.
    ///
    /// @param work an empty folder of its own
    /// @throws IOException when its files cannot be read
    static EmbeddedApp start(WebContext declared, WebAppSettings shared, Path work)
            throws IOException {
        List<Initializer> initializers = new ArrayList<>(declared.initializers());
        WebAppDescriptor descriptor = declared.descriptor();
        WebAppSettings settings =
                declared.settings(
                        shared.withTemporaryFolder(
                                Files.createDirectories(work.resolve("temporary"))));
        if (declared.hasPages()) {
            Path scratch = Files.createDirectories(work.resolve("pages"));
            JspSetup jsp = new JspSetup(JspSettings.defaults(), false, scratch, null);
            initializers.addFirst(jsp.initializer(null));
            descriptor = jsp.extend(withParameters(descriptor, declared.pageParameters()));
            Map<String, Object> attributes = new LinkedHashMap<>(settings.attributes());
            attributes.putAll(jsp.attributesOnClassPath(declared.loader()));
            settings = settings.withAttributes(attributes);
        }
        initializers.addAll(settings.initializers());
        WebResources resources = resources(declared, work);
        try {
            WebApp app =
                    WebApp.create(
                            descriptor.withDefaults(List.of(), "UTF-8"),
                            resources,
                            declared.loader(),
                            settings.withInitializers(initializers));
            app.prepare();
            return new EmbeddedApp(
                    app,
                    () -> {
                        app.stop();
                        resources.close();
                    });
        } catch (RuntimeException | Error e) {
            resources.close();
            throw e;
        }
    }

    /// A context without folders has an empty one, for it has a root all the same.
    private static WebResources resources(WebContext declared, Path work) throws IOException {
        List<Path> folders = new ArrayList<>(declared.folders());
        List<CombinedResources.Jar> jars = new ArrayList<>(declared.jars());
        for (String folder : declared.classPathFolders()) {
            CombinedResources.Places places =
                    CombinedResources.onClassPath(declared.loader(), folder);
            folders.addAll(places.folders());
            jars.addAll(places.jars());
        }
        if (folders.isEmpty()) {
            folders.add(Files.createDirectories(work.resolve("root")));
        }
        return CombinedResources.of(folders, jars);
    }

    private static WebAppDescriptor withParameters(
            WebAppDescriptor from, Map<String, String> parameters) {
        ServletDef pages = ServletDef.of("jsp", null, null, parameters);
        return from.withServlets(List.of(pages), Map.of());
    }

    static WebAppDescriptor descriptor(
            String displayName,
            Map<String, String> parameters,
            int sessionMinutes,
            Map<String, String> mimeTypes,
            List<String> welcomeFiles,
            List<ErrorPage> errorPages) {
        WebAppDescriptor empty = WebAppDescriptors.empty();
        return WebAppDescriptorBuilder.builder(empty)
                .general(
                        WebAppDescriptorGeneralBuilder.builder(empty.general())
                                .displayName(displayName)
                                .metadataComplete(true)
                                .contextParams(
                                        Collections.unmodifiableMap(
                                                new LinkedHashMap<>(parameters)))
                                .build())
                .session(
                        WebAppDescriptorSessionDefBuilder.builder(empty.session())
                                .timeoutMinutes(sessionMinutes)
                                .build())
                .content(
                        WebAppDescriptorContentBuilder.builder(empty.content())
                                .mimeTypes(Map.copyOf(mimeTypes))
                                .welcomeFiles(List.copyOf(welcomeFiles))
                                .errorPages(List.copyOf(errorPages))
                                .build())
                .build();
    }
}
