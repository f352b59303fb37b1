package io.margay.spring.boot;

import io.margay.compat.tomcat.client.RemoteIpFilter;
import io.margay.embed.WebContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import java.util.EnumSet;

/// Has a context believe what proxies in private networks tell of their clients. Stateless.
final class ForwardedFields {
    private ForwardedFields() {}

    static void believe(WebContext context) {
        context.initializer((_, servlets) -> {
            FilterRegistration.Dynamic filter =
                    servlets.addFilter("margay.forwarded", new RemoteIpFilter());
            filter.setInitParameter("remoteIpHeader", "X-Forwarded-For");
            filter.setInitParameter("protocolHeader", "X-Forwarded-Proto");
            filter.setInitParameter("hostHeader", "X-Forwarded-Host");
            filter.setInitParameter("portHeader", "X-Forwarded-Port");
            filter.setAsyncSupported(true);
            filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
        });
    }
}
