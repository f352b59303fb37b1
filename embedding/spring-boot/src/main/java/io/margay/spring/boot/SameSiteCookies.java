package io.margay.spring.boot;

import io.margay.embed.WebContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.Cookie.SameSite;
import org.springframework.boot.web.server.servlet.CookieSameSiteSupplier;
import org.springframework.boot.web.server.servlet.ServletWebServerSettings;

/// The attribute `SameSite` of cookies: of that of the session as the properties say, of others as
/// suppliers say. Immutable.
final class SameSiteCookies implements Filter {
    private static final String ATTRIBUTE = "SameSite";
    private static final String SESSION_COOKIE = "JSESSIONID";

    private final List<? extends CookieSameSiteSupplier> suppliers;

    private SameSiteCookies(List<? extends CookieSameSiteSupplier> suppliers) {
        this.suppliers = suppliers;
    }

    static void add(WebContext context, ServletWebServerSettings settings) {
        List<? extends CookieSameSiteSupplier> suppliers =
                List.copyOf(settings.getCookieSameSiteSuppliers());
        SameSiteCookies filter = new SameSiteCookies(suppliers);
        var cookie = settings.getSession().getCookie();
        SameSite chosen = cookie.getSameSite();
        String name = cookie.getName() == null ? SESSION_COOKIE : cookie.getName();
        String ofSession =
                chosen == null ? filter.of(new Cookie(name, "")) : chosen.attributeValue();
        context.settings(asked -> asked.withCookieSameSite(ofSession == null ? "" : ofSession));
        if (!suppliers.isEmpty()) {
            context.initializer((_, servlets) -> {
                FilterRegistration.Dynamic added = servlets.addFilter("margay.same-site", filter);
                added.setAsyncSupported(true);
                added.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
            });
        }
    }

    private @Nullable String of(Cookie cookie) {
        for (CookieSameSiteSupplier supplier : suppliers) {
            SameSite found = supplier.getSameSite(cookie);
            if (found != null) {
                return found.attributeValue();
            }
        }
        return null;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(
                request,
                response instanceof HttpServletResponse http ? new Marked(http) : response);
    }

    /// Marks the cookies that the application sets.
    private final class Marked extends HttpServletResponseWrapper {
        Marked(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void addCookie(Cookie cookie) {
            String value = of(cookie);
            if (value != null) {
                cookie.setAttribute(ATTRIBUTE, value);
            }
            super.addCookie(cookie);
        }
    }
}
