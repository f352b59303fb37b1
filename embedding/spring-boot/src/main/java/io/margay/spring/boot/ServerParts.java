package io.margay.spring.boot;

import io.margay.embed.EmbeddedServer;
import io.margay.embed.Margay;
import io.margay.embed.WebContext;
import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.factory.IdleMemory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.Ssl;

/// What both factories make of Spring Boot's settings. Used by the thread that starts the
/// application.
final class ServerParts {
    /// What carries plain text where nobody has chosen: the calls into the C library that `native`
    /// needs cost each start more than they save an application of Spring's with its requests. TLS
    /// by OpenSSL needs such calls anyway, so that with TLS it is the best of the machine.
    private static final String PLAIN_TRANSPORT = "nio";

    private final List<MargayBuilderCustomizer> customizers = new ArrayList<>();
    private boolean forwardHeaders;
    private boolean trimNativeHeap;

    /// The bundles of a factory, which only it may read.
    ///
    /// @param own null = plain text
    record Bundles(@Nullable SslBundle own, Map<String, SslBundle> byName) {
        static final Bundles NONE = new Bundles(null, Map.of());
    }

    void add(List<MargayBuilderCustomizer> others) {
        customizers.addAll(others);
    }

    void forwardHeaders(boolean believed) {
        forwardHeaders = believed;
    }

    boolean forwardHeaders() {
        return forwardHeaders;
    }

    void trimNativeHeap(boolean wanted) {
        trimNativeHeap = wanted;
    }

    /// What gives back memory that the idle process does not need; null = nothing does.
    @Nullable IdleMemory idleMemory() {
        return trimNativeHeap ? IdleMemory.ofProcess() : null;
    }

    /// A server that serves one context.
    EmbeddedServer server(
            AbstractConfigurableWebServerFactory factory, Bundles bundles, WebContext context) {
        Margay.Builder builder = Margay.builder().context(context).strictSni(false);
        List<BundleTls> secrets = new ArrayList<>();
        ListenerConfig socket = ListenerConfig.of(address(factory));
        TlsConfig tls = tls(factory.getSsl(), bundles, secrets);
        if (tls == null) {
            builder.transport(PLAIN_TRANSPORT).listener(socket);
        } else {
            builder.listener(socket.withTls(tls));
        }
        Http2 http2 = factory.getHttp2();
        builder.http2(http2 != null && http2.isEnabled());
        builder.serverName(factory.getServerHeader());
        var compression = factory.getCompression();
        if (compression != null && compression.getEnabled()) {
            builder.compression(compression(compression));
        }
        customizers.forEach(one -> one.customize(builder));
        EmbeddedServer server = builder.build();
        watch(factory, secrets, server);
        return server;
    }

    private static InetSocketAddress address(AbstractConfigurableWebServerFactory factory) {
        InetAddress at = factory.getAddress();
        int port = Math.max(factory.getPort(), 0);
        return at == null ? new InetSocketAddress(port) : new InetSocketAddress(at, port);
    }

    /// @param secrets gets what takes other bundles: that of the listener, then those of names
    private static @Nullable TlsConfig tls(
            @Nullable Ssl ssl, Bundles bundles, List<BundleTls> secrets) {
        if (bundles.own == null || ssl == null) {
            return null;
        }
        BundleTls own = new BundleTls(bundles.own);
        secrets.add(own);
        List<TlsConfig.Named> named = new ArrayList<>();
        for (Ssl.ServerNameSslBundle name : ssl.getServerNameBundles()) {
            SslBundle bundle = bundles.byName.get(name.serverName());
            if (bundle != null) {
                BundleTls other = new BundleTls(bundle);
                secrets.add(other);
                TlsConfig tls = other.config(ssl.getClientAuth());
                named.add(new TlsConfig.Named(List.of(name.serverName()), tls));
            }
        }
        return own.config(ssl.getClientAuth()).withNamed(named);
    }

    /// Takes bundles that replace those in use.
    private static void watch(
            AbstractConfigurableWebServerFactory factory,
            List<BundleTls> secrets,
            EmbeddedServer server) {
        Ssl ssl = factory.getSsl();
        SslBundles all = factory.getSslBundles();
        if (ssl == null || all == null || secrets.isEmpty()) {
            return;
        }
        int number = 1;
        if (ssl.getBundle() != null) {
            watch(all, ssl.getBundle(), secrets.getFirst(), server);
        }
        for (Ssl.ServerNameSslBundle name : ssl.getServerNameBundles()) {
            if (number < secrets.size()) {
                watch(all, name.bundle(), secrets.get(number++), server);
            }
        }
    }

    private static void watch(
            SslBundles all, String name, BundleTls secrets, EmbeddedServer server) {
        all.addBundleUpdateHandler(
                name,
                bundle -> {
                    secrets.replace(bundle);
                    server.reloadCertificates();
                });
    }

    private static Compression compression(org.springframework.boot.web.server.Compression wanted) {
        CompressionConfig config =
                CompressionConfig.defaults()
                        .withMinBytes(wanted.getMinResponseSize().toBytes())
                        .withTypes(Arrays.asList(types(wanted)));
        String[] agents = wanted.getExcludedUserAgents();
        List<Pattern> excluded =
                agents == null ? List.of() : Arrays.stream(agents).map(Pattern::compile).toList();
        return (exchange, type) -> {
            if (!config.takes(type)) {
                return null;
            }
            String agent = exchange.request().field("user-agent");
            boolean refused =
                    agent != null
                            && excluded.stream().anyMatch(one -> one.matcher(agent).matches());
            return refused ? null : config;
        };
    }

    /// Spring Boot 4.1 can add to the types, and 4.0 cannot.
    private static String[] types(org.springframework.boot.web.server.Compression wanted) {
        try {
            return wanted.getAllMimeTypes();
        } catch (NoSuchMethodError e) {
            return wanted.getMimeTypes();
        }
    }
}
