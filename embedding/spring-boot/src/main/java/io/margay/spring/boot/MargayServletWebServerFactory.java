package io.margay.spring.boot;

import io.margay.embed.WebContext;
import java.io.File;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.error.ErrorPage;
import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.boot.web.server.MimeMappings;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.boot.web.server.servlet.DocumentRoot;
import org.springframework.boot.web.server.servlet.ServletContextInitializers;
import org.springframework.boot.web.server.servlet.ServletWebServerSettings;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.ResourceLoaderAware;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/// Makes servers for applications of the servlet kind. Used by the thread that starts the
/// application.
public final class MargayServletWebServerFactory extends AbstractConfigurableWebServerFactory
        implements ConfigurableMargayWebServerFactory,
                ConfigurableServletWebServerFactory,
                ResourceLoaderAware {
    private static final Log LOG = LogFactory.getLog(MargayServletWebServerFactory.class);

    private final ServletWebServerSettings settings = new ServletWebServerSettings();
    private final ServerParts parts = new ServerParts();
    private @Nullable ResourceLoader resourceLoader;

    /// At port 8080.
    public MargayServletWebServerFactory() {}

    /// At a port; 0 lets the system choose.
    public MargayServletWebServerFactory(int port) {
        super(port);
    }

    @Override
    public ServletWebServerSettings getSettings() {
        return settings;
    }

    @Override
    public void setResourceLoader(ResourceLoader loader) {
        resourceLoader = loader;
    }

    @Override
    public void addBuilderCustomizers(MargayBuilderCustomizer... customizers) {
        parts.add(Arrays.asList(customizers));
    }

    @Override
    public void setUseForwardHeaders(boolean useForwardHeaders) {
        parts.forwardHeaders(useForwardHeaders);
    }

    @Override
    public void setTrimNativeHeap(boolean trimNativeHeap) {
        parts.trimNativeHeap(trimNativeHeap);
    }

    @Override
    public WebServer getWebServer(ServletContextInitializer... initializers) {
        WebContext context = context(initializers);
        ServerParts.Bundles bundles =
                Ssl.isEnabled(getSsl())
                        ? new ServerParts.Bundles(getSslBundle(), getServerNameSslBundles())
                        : ServerParts.Bundles.NONE;
        return new MargayWebServer(
                parts.server(this, bundles, context),
                parts.idleMemory(),
                getPort(),
                getShutdown(),
                settings.getContextPath().toString());
    }

    private WebContext context(ServletContextInitializer[] initializers) {
        String path = settings.getContextPath().toString();
        WebContext context = WebContext.at(path.isEmpty() ? "/" : path).webSockets();
        String name = settings.getDisplayName();
        if (name != null) {
            context.displayName(name);
        }
        ClassLoader loader =
                resourceLoader == null
                        ? ClassUtils.getDefaultClassLoader()
                        : resourceLoader.getClassLoader();
        if (loader != null) {
            context.loader(loader);
        }
        for (MimeMappings.Mapping mapping : settings.getMimeMappings()) {
            context.mimeType(mapping.getExtension(), mapping.getMimeType());
        }
        getErrorPages().forEach(page -> add(page, context));
        addFiles(context);
        addSessions(context);
        Map<String, String> encodings = new HashMap<>();
        settings.getLocaleCharsetMappings()
                .forEach((locale, charset) -> encodings.put(locale.toString(), charset.name()));
        context.settings(asked -> asked.withLocaleEncodings(encodings));
        if (parts.forwardHeaders()) {
            ForwardedFields.believe(context);
        }
        SameSiteCookies.add(context, settings);
        context.initializer((_, servlets) ->
                settings.getWebListenerClassNames().forEach(servlets::addListener));
        for (ServletContextInitializer one :
                ServletContextInitializers.from(settings, initializers)) {
            context.initializer((_, servlets) -> one.onStartup(servlets));
        }
        return context;
    }

    private static void add(ErrorPage page, WebContext context) {
        String path = String.valueOf(page.getPath());
        if (page.isGlobal()) {
            context.errorPage(path);
        } else if (page.getException() != null) {
            context.errorPage(page.getException(), path);
        } else {
            context.errorPage(page.getStatusCode(), path);
        }
    }

    private void addSessions(WebContext context) {
        Duration timeout = settings.getSession().getTimeout();
        long minutes =
                timeout == null || timeout.isNegative() || timeout.isZero()
                        ? 0
                        : Math.max(1, timeout.toMinutes());
        context.sessionMinutes((int) Math.min(minutes, Integer.MAX_VALUE));
        if (settings.getSession().isPersistent()) {
            File folder = settings.getSession().getSessionStoreDirectory().getValidDirectory(true);
            Path file = folder.toPath().resolve("margay.sessions");
            context.settings(asked -> asked.withSessionFile(file));
        }
    }

    /// The document root, then what libraries have; with pages only where there are files at all.
    private void addFiles(WebContext context) {
        DocumentRoot root = new DocumentRoot(LOG);
        root.setDirectory(settings.getDocumentRoot());
        File folder = root.getValidDirectory();
        StaticResources resources = new StaticResources(context);
        boolean files = folder != null;
        if (folder != null) {
            resources.addRoot(folder.toPath());
        }
        for (URL url : settings.getStaticResourceUrls()) {
            files |= resources.addLibrary(url);
        }
        if (files && settings.getJsp().getRegistered()) {
            context.pages(settings.getJsp().getInitParameters());
        }
    }
}
