package io.margay.spring.boot;

import io.margay.embed.WebContext;
import java.util.Arrays;
import java.util.Map;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.reactive.AbstractReactiveWebServerFactory;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;

/// Makes servers for reactive applications, which answer by the asynchronous side of the servlet
/// API. Used by the thread that starts the application.
public final class MargayReactiveWebServerFactory extends AbstractReactiveWebServerFactory
        implements ConfigurableMargayWebServerFactory {
    private final ServerParts parts = new ServerParts();

    /// At port 8080.
    public MargayReactiveWebServerFactory() {}

    /// At a port; 0 lets the system choose.
    public MargayReactiveWebServerFactory(int port) {
        super(port);
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
    public WebServer getWebServer(HttpHandler handler) {
        WebContext context = WebContext.at("/");
        if (parts.forwardHeaders()) {
            ForwardedFields.believe(context);
        }
        context.servlet("/", new ServletHttpHandlerAdapter(handler));
        ServerParts.Bundles bundles =
                Ssl.isEnabled(getSsl())
                        ? new ServerParts.Bundles(getSslBundle(), serverNames())
                        : ServerParts.Bundles.NONE;
        return new MargayWebServer(
                parts.server(this, bundles, context),
                parts.idleMemory(),
                getPort(),
                getShutdown(),
                null);
    }

    private Map<String, org.springframework.boot.ssl.SslBundle> serverNames() {
        return getServerNameSslBundles();
    }
}
