package io.margay.servlet.engine.application;

import io.margay.protocol.http.Octets;
import io.margay.servlet.descriptor.WebAppDescriptor.SessionDef;
import io.margay.servlet.engine.registration.AppRuntime;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.http.Cookie;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How the session cookie looks (Servlet 6.1 §7.1.1). Written by the starting thread only.
public final class SessionCookie implements SessionCookieConfig {
    private static final String DEFAULT_NAME = "JSESSIONID";

    private final AppRuntime runtime;
    private @Nullable String name;
    private final Map<String, String> attributes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    SessionCookie(AppRuntime runtime, SessionDef definition, String sameSite) {
        this.runtime = runtime;
        this.name = definition.cookieName();
        attributes.put("HttpOnly", "true");
        if (!sameSite.isEmpty()) {
            attributes.put("SameSite", sameSite);
        }
        attributes.putAll(definition.cookieAttributes());
        put("Domain", definition.cookieDomain());
        put("Path", definition.cookiePath());
        put("HttpOnly", definition.httpOnly());
        put("Secure", definition.secure());
        put("Max-Age", definition.maxAgeSeconds());
    }

    private void put(String attribute, @Nullable Object value) {
        if (value != null) {
            attributes.put(attribute, value.toString());
        }
    }

    public String effectiveName() {
        String given = name;
        return given == null || given.isEmpty() ? DEFAULT_NAME : given;
    }

    /// The cookie for a session id.
    public Cookie cookie(String id, boolean secureRequest, String contextPath) {
        Cookie cookie = new Cookie(effectiveName(), id);
        attributes.forEach((attribute, value) -> {
            if (!attribute.equalsIgnoreCase("Path")) {
                cookie.setAttribute(attribute, value);
            }
        });
        cookie.setHttpOnly(isHttpOnly());
        cookie.setSecure(isSecure() || secureRequest);
        String path = getPath();
        cookie.setPath(path != null ? path : contextPath.isEmpty() ? "/" : contextPath);
        return cookie;
    }

    @Override
    public void setName(String value) {
        runtime.requireConfigurable();
        name = value;
    }

    @Override
    public @Nullable String getName() {
        return name;
    }

    @Override
    public void setDomain(String value) {
        setAttribute("Domain", value);
    }

    @Override
    public @Nullable String getDomain() {
        return attributes.get("Domain");
    }

    @Override
    public void setPath(String value) {
        setAttribute("Path", value);
    }

    @Override
    public @Nullable String getPath() {
        return attributes.get("Path");
    }

    @Override
    @Deprecated(since = "6.0", forRemoval = true)
    @SuppressWarnings("removal")
    public void setComment(@Nullable String comment) {
        runtime.requireConfigurable();
    }

    @Override
    @Deprecated(since = "6.0", forRemoval = true)
    @SuppressWarnings({"removal", "InlineMeSuggester"})
    public @Nullable String getComment() {
        return null;
    }

    @Override
    public void setHttpOnly(boolean value) {
        setAttribute("HttpOnly", Boolean.toString(value));
    }

    @Override
    public boolean isHttpOnly() {
        return Boolean.parseBoolean(attributes.get("HttpOnly"));
    }

    @Override
    public void setSecure(boolean value) {
        setAttribute("Secure", Boolean.toString(value));
    }

    @Override
    public boolean isSecure() {
        return Boolean.parseBoolean(attributes.get("Secure"));
    }

    @Override
    public void setMaxAge(int seconds) {
        setAttribute("Max-Age", Integer.toString(seconds));
    }

    @Override
    public int getMaxAge() {
        String seconds = attributes.get("Max-Age");
        return seconds == null ? -1 : Integer.parseInt(seconds);
    }

    @Override
    public void setAttribute(String attribute, @Nullable String value) {
        runtime.requireConfigurable();
        if (attribute == null || attribute.isEmpty() || !Octets.isToken(attribute)) {
            throw new IllegalArgumentException("no name for a cookie attribute");
        }
        if (value == null) {
            attributes.remove(attribute);
            return;
        }
        if (attribute.equalsIgnoreCase("Max-Age")) {
            Integer.parseInt(value);
        }
        attributes.put(attribute, value);
    }

    @Override
    public @Nullable String getAttribute(String attribute) {
        return attributes.get(attribute);
    }

    @Override
    public Map<String, String> getAttributes() {
        return Collections.unmodifiableMap(attributes);
    }
}
