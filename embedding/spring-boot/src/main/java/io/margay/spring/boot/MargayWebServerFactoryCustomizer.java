package io.margay.spring.boot;

import io.margay.embed.Margay;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1LimitsBuilder;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import io.margay.servlet.settings.ServletLimits;
import io.margay.spring.boot.MargayServerProperties.AccessLog;
import io.margay.spring.boot.MargayServerProperties.Ajp;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties.ForwardHeadersStrategy;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/// Carries properties into a factory. Immutable.
final class MargayWebServerFactoryCustomizer
        implements WebServerFactoryCustomizer<ConfigurableMargayWebServerFactory>, Ordered {
    private final Environment environment;
    private final ServerProperties server;
    private final MargayServerProperties margay;

    MargayWebServerFactoryCustomizer(
            Environment environment, ServerProperties server, MargayServerProperties margay) {
        this.environment = environment;
        this.server = server;
        this.margay = margay;
    }

    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public void customize(ConfigurableMargayWebServerFactory factory) {
        factory.setUseForwardHeaders(believesProxies());
        factory.setTrimNativeHeap(margay.trimNativeHeap());
        factory.addBuilderCustomizers(this::apply);
    }

    /// As asked for, or where the platform is known to have a proxy in front.
    private boolean believesProxies() {
        ForwardHeadersStrategy strategy = server.getForwardHeadersStrategy();
        if (strategy != null) {
            return strategy == ForwardHeadersStrategy.NATIVE;
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }

    private void apply(Margay.Builder builder) {
        String transport = margay.transport();
        if (transport != null) {
            builder.transport(transport);
        }
        dispatch(builder);
        builder.sockets(margay.acceptCount(), margay.maxConnections());
        builder.tlsProvider(margay.sslProvider());
        if (margay.http3()) {
            builder.http3();
        }
        builder.relaxedCharacters(
                text(margay.relaxedPathChars()), text(margay.relaxedQueryChars()));
        builder.limits(httpLimits());
        builder.settings(asked ->
                asked.withLimits(limits(asked.limits()))
                        .withAbsoluteRedirects(!margay.useRelativeRedirects()));
        AccessLog log = margay.accesslog();
        Path file = log.file();
        if (file != null) {
            builder.accessLog(file, log.format());
        }
        ajp(builder);
    }

    private static String text(List<Character> characters) {
        return characters.stream().map(String::valueOf).collect(Collectors.joining());
    }

    private HttpLimits httpLimits() {
        HttpLimits limits = HttpLimits.defaults();
        Http1Limits sizes = limits.http1();
        int head = (int) server.getMaxHttpRequestHeaderSize().toBytes();
        DataSize skipped = margay.maxSwallowSize();
        return limits.withHttp1(
                        Http1LimitsBuilder.builder(sizes)
                                .requestLineBytesMax(Math.min(sizes.requestLineBytesMax(), head))
                                .headBytesMax(head)
                                .build())
                .withRequestsMax(margay.maxKeepAliveRequests())
                .withDrainBytesMax(skipped == null ? limits.drainBytesMax() : skipped.toBytes())
                .withTimeouts(
                        or(margay.connectionTimeout(), limits.headTimeout()),
                        or(margay.keepAliveTimeout(), limits.idleTimeout()),
                        limits.bodyTimeout(),
                        limits.writeTimeout());
    }

    private static <T> T or(@Nullable T said, T otherwise) {
        return said == null ? otherwise : said;
    }

    private void dispatch(Margay.Builder builder) {
        if (Threading.VIRTUAL.isActive(environment)) {
            builder.virtualThreads(margay.threads().maxQueueCapacity());
            return;
        }
        switch (margay.dispatch()) {
            case POOL -> builder.threads(margay.threads().limits());
            case VIRTUAL -> builder.virtualThreads(margay.threads().maxQueueCapacity());
            case INLINE -> builder.onLoop(margay.threads().limits());
        }
    }

    private ServletLimits limits(ServletLimits from) {
        DataSize fields = margay.maxPartHeaderSize();
        return new ServletLimits(
                margay.maxParameterCount(),
                (int) margay.maxHttpFormPostSize().toBytes(),
                or(margay.maxPartCount(), from.partsMax()),
                fields == null ? from.partHeaderBytesMax() : (int) fields.toBytes(),
                or(margay.maxSessions(), from.sessionsMax()),
                from.asyncTimeout(),
                from.dispatchDepthMax());
    }

    private void ajp(Margay.Builder builder) {
        Ajp ajp = margay.ajp();
        Integer port = ajp.port();
        if (port != null) {
            String secret = ajp.secret();
            builder.ajp(
                    ajp.address() == null ? "127.0.0.1" : ajp.address().getHostAddress(),
                    port,
                    secret == null ? AjpConfig.withoutSecret() : AjpConfig.withSecret(secret));
        }
    }
}
