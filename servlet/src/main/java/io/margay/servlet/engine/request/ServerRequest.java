package io.margay.servlet.engine.request;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.PercentEncoding;
import io.margay.server.exchange.Exchange;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.Route;
import io.margay.servlet.security.Authenticator;
import io.margay.servlet.session.SessionWrite;
import io.margay.servlet.session.WebSession;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.security.Principal;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The request of one exchange (Servlet 6.1 §3). Used by one thread at a time; unusable after the
/// exchange ended, and never used for another one.
///
/// What most requests do not ask for (parameters, cookies, attributes, parts) is made when it is
/// asked for. The [Route] says where the request is going now, and changes with dispatches.
public final class ServerRequest extends ReceivedRequest {
    private final Application home;
    private final RequestSession session;
    private final RequestIdentity identity;

    /// The POST that this GET stands for, after logging in.
    private Authenticator.@Nullable Form restored;

    private final RequestAttributes attributes;
    private final RequestContent content;

    private @Nullable Route firstRoute;
    private @Nullable Route route;
    private DispatcherType type = DispatcherType.REQUEST;
    private boolean asyncAllowed = true;

    /// Dispatches under way, one within the other.
    private int depth;

    /// What a dispatch has thrown and dealt with.
    private @Nullable UnavailableException unavailable;

    public ServerRequest(RequestScope cycle, Application home, Exchange exchange) {
        super(cycle, exchange);
        this.home = home;
        this.attributes = new RequestAttributes(exchange);
        this.content = new RequestContent(this);
        this.session = new RequestSession(this);
        this.identity = new RequestIdentity(this);
    }

    // For the engine

    /// The application that the client has sent the request to.
    public Application home() {
        return home;
    }

    /// The application where the request is now.
    Application app() {
        return route().app();
    }

    public RequestIdentity identity() {
        return identity;
    }

    /// Where the request is going now.
    public Route route() {
        cycle.requireOpen();
        return route != null ? route : firstRoute();
    }

    /// Where the client sent the request.
    public Route firstRoute() {
        Route first = firstRoute;
        if (first == null) {
            first = cycle.fallbackRoute();
            firstRoute(first);
        }
        return first;
    }

    public void firstRoute(Route first) {
        firstRoute = first;
        route = first;
    }

    /// Makes it the client's request again, after asynchronous dispatches, which are not undone.
    public void returnToStart() {
        route = firstRoute();
        type = DispatcherType.REQUEST;
    }

    public void findSession(CanonicalPath path) {
        session.find(path, head.fields());
    }

    public boolean asyncAllowed() {
        return asyncAllowed;
    }

    public void asyncAllowed(boolean allowed) {
        asyncAllowed = allowed;
    }

    public @Nullable Object attributeOf(String name) {
        return attributes.get(name);
    }

    /// Goes to another route; what changes is put back by [#leave].
    ///
    /// @param next null = a named servlet, which leaves the path as it is
    /// @param query parameters to add before those that are there
    public DispatchScope enter(
            @Nullable Route next,
            @Nullable String query,
            DispatcherType as,
            Map<String, @Nullable Object> shown) {
        DispatchScope before = cover(shown);
        type = as;
        if (next != null) {
            route = next;
        }
        if (as == DispatcherType.ASYNC) {
            depth = 1;
            content.dispatchQuery(null);
        }
        content.addQuery(query);
        return before;
    }

    /// Like [#enter] for an include: only attributes and parameters tell of the target.
    public DispatchScope include(@Nullable String query, Map<String, @Nullable Object> shown) {
        DispatchScope before = cover(shown);
        type = DispatcherType.INCLUDE;
        content.addQuery(query);
        return before;
    }

    private DispatchScope cover(Map<String, @Nullable Object> shown) {
        int deepest = home.settings().limits().dispatchDepthMax();
        if (depth >= deepest) {
            throw new IllegalStateException("dispatches are nested deeper than " + deepest);
        }
        depth++;
        Map<String, @Nullable Object> covered = new LinkedHashMap<>();
        shown.forEach((name, value) -> covered.put(name, attributes.put(name, value)));
        return new DispatchScope(route(), type, content.dispatchQuery(), covered);
    }

    public void leave(DispatchScope before) {
        depth--;
        route = before.route();
        type = before.type();
        content.dispatchQuery(before.dispatchQuery());
        before.attributes().forEach(attributes::put);
    }

    /// What dispatches have added to the parameters.
    public @Nullable String dispatchQuery() {
        return content.dispatchQuery();
    }

    /// Runs a task when the exchange has ended.
    public void onEnd(Runnable task) {
        exchange.onEnd(task);
    }

    /// Whether an outer dispatch sees what an inner one has dealt with already.
    @SuppressWarnings("ReferenceEquality")
    public boolean isKnown(UnavailableException thrown) {
        return unavailable == thrown;
    }

    public void known(UnavailableException thrown) {
        unavailable = thrown;
    }

    /// From now on several threads may use the attributes at once.
    public void share() {
        attributes.share();
    }

    /// Before anything is sent, and before the response ends: what the client asks next, of any
    /// server, is to see what this request has changed.
    ///
    /// @return false if one was to be written and could not be, so that the response must not say
    ///   that it was
    public boolean saveSessions() {
        return session.save(SessionWrite.BEFORE);
    }

    /// The request is over.
    public void release() {
        session.release();
        content.discard();
    }

    /// Lets go of everything but its sessions, for a connection that goes on with another protocol.
    ///
    /// @return what lets go of the sessions, and does not hold the request
    public Runnable handOver() {
        content.discard();
        return session.handOver();
    }

    // Attributes

    @Override
    public @Nullable Object getAttribute(String name) {
        cycle.requireOpen();
        return attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        cycle.requireOpen();
        return Collections.enumeration(attributes.names());
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        cycle.requireOpen();
        if (name == null) {
            throw new IllegalArgumentException("an attribute needs a name");
        }
        if (value == null) {
            removeAttribute(name);
            return;
        }
        Object before = attributes.put(name, value);
        app().registrations()
                .listeners()
                .requestAttributeSet(getServletContext(), this, name, value, before);
    }

    @Override
    public void removeAttribute(String name) {
        cycle.requireOpen();
        Object before = attributes.put(name, null);
        if (before != null) {
            app().registrations()
                    .listeners()
                    .requestAttributeRemoved(getServletContext(), this, name, before);
        }
    }

    // Parameters

    @Override
    public @Nullable String getParameter(String name) {
        return content.parameters().first(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(content.parameters().map().keySet());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return content.parameters().all(name);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return content.parameters().map();
    }

    // Parts and content

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        return content.parts().all();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        return content.parts().named(name);
    }

    @Override
    public ServletInputStream getInputStream() {
        return content.inputStream();
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return content.reader();
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        return content.encoding();
    }

    @Override
    public void setCharacterEncoding(@Nullable String name) throws UnsupportedEncodingException {
        if (name != null) {
            Charset _ = RequestContent.requireCharset(name);
        }
        content.encoding(name);
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset charset) {
        content.encoding(charset == null ? null : charset.name());
    }

    @Override
    public int getContentLength() {
        long length = getContentLengthLong();
        return length > Integer.MAX_VALUE ? -1 : (int) length;
    }

    @Override
    public long getContentLengthLong() {
        cycle.requireOpen();
        boolean declared = head.contentLength() > 0 || head.fields().contains("content-length");
        Authenticator.Form form = restored;
        if (form != null) {
            return form.content().length();
        }
        return declared ? head.contentLength() : -1;
    }

    @Override
    public @Nullable String getContentType() {
        return restored != null ? restored.contentType() : getHeader("content-type");
    }

    // Path

    @Override
    public String getMethod() {
        cycle.requireOpen();
        if (type == DispatcherType.ERROR) {
            return "GET";
        }
        return restored != null ? "POST" : head.method();
    }

    /// Makes it the POST that logging in has interrupted.
    void restore(Authenticator.Form form) {
        restored = form;
        content.restore(form);
    }

    @Override
    public String getRequestURI() {
        return route().uri();
    }

    @Override
    public StringBuffer getRequestURL() {
        return new StringBuffer(getScheme())
                .append("://")
                .append(authority())
                .append(getRequestURI());
    }

    @Override
    public String getContextPath() {
        return route().contextPath();
    }

    @Override
    public String getServletPath() {
        return route().servletPath();
    }

    @Override
    public @Nullable String getPathInfo() {
        return route().pathInfo();
    }

    @Override
    public @Nullable String getPathTranslated() {
        String pathInfo = getPathInfo();
        return pathInfo == null ? null : getServletContext().getRealPath(pathInfo);
    }

    @Override
    public @Nullable String getQueryString() {
        return route().query();
    }

    @Override
    public HttpServletMapping getHttpServletMapping() {
        return route().mapping();
    }

    @Override
    public ServletContext getServletContext() {
        return route().app().context();
    }

    @Override
    public DispatcherType getDispatcherType() {
        cycle.requireOpen();
        return type;
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        if (path == null) {
            return null;
        }
        if (path.startsWith("/")) {
            return getServletContext().getRequestDispatcher(path);
        }
        String here = currentPath();
        String folder = here.substring(0, here.lastIndexOf('/') + 1);
        return folder.startsWith("/")
                ? getServletContext().getRequestDispatcher(PercentEncoding.path(folder) + path)
                : null;
    }

    /// The path that relative paths count from: the included resource's while one is included.
    private String currentPath() {
        Object included = attributes.get(RequestDispatcher.INCLUDE_SERVLET_PATH);
        if (included instanceof String servletPath) {
            Object info = attributes.get(RequestDispatcher.INCLUDE_PATH_INFO);
            return info == null ? servletPath : servletPath + info;
        }
        return route().path();
    }

    // Session

    @Override
    public @Nullable String getRequestedSessionId() {
        cycle.requireOpen();
        return session.requestedId();
    }

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        cycle.requireOpen();
        WebSession own = session.get(app(), create);
        return own;
    }

    @Override
    public HttpSession getSession() {
        return java.util.Objects.requireNonNull(getSession(true));
    }

    @Override
    public String changeSessionId() {
        cycle.requireOpen();
        return session.changeId(app());
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        cycle.requireOpen();
        return session.isRequestedValid(app());
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        cycle.requireOpen();
        return session.isFromCookie();
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        cycle.requireOpen();
        return session.isFromUrl();
    }

    // User

    @Override
    public @Nullable String getAuthType() {
        Authenticator.Identity user = identity.identity();
        return user == null ? null : user.method();
    }

    @Override
    public @Nullable String getRemoteUser() {
        Principal principal = getUserPrincipal();
        return principal == null ? null : principal.getName();
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        cycle.requireOpen();
        Authenticator.Identity user = identity.identity();
        return user == null ? null : user.principal();
    }

    @Override
    public boolean isUserInRole(String role) {
        cycle.requireOpen();
        return identity.isInRole(role, route());
    }

    @Override
    public boolean authenticate(HttpServletResponse response) throws IOException, ServletException {
        cycle.requireOpen();
        return identity.authenticate(response);
    }

    @Override
    public void login(String user, String password) throws ServletException {
        cycle.requireOpen();
        identity.login(user, password);
    }

    @Override
    public void logout() throws ServletException {
        cycle.requireOpen();
        identity.logout();
    }

    // Asynchronous processing and upgrade

    @Override
    public boolean isAsyncSupported() {
        cycle.requireOpen();
        return asyncAllowed;
    }

    @Override
    public boolean isAsyncStarted() {
        cycle.requireOpen();
        return cycle.isAsyncStarted();
    }

    @Override
    public AsyncContext startAsync() {
        requireAsyncAllowed();
        return cycle.startAsync();
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        requireAsyncAllowed();
        return cycle.startAsync(request, response);
    }

    private void requireAsyncAllowed() {
        if (!isAsyncSupported()) {
            throw new IllegalStateException(
                    "a filter or servlet of this request does not support asynchronous processing");
        }
    }

    @Override
    public AsyncContext getAsyncContext() {
        cycle.requireOpen();
        AsyncContext async = cycle.async();
        if (async == null) {
            throw new IllegalStateException("the request is not asynchronous");
        }
        return async;
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> handlerClass)
            throws IOException, ServletException {
        cycle.requireOpen();
        // Since HTTP/2 the field stands for an extended CONNECT; a client cannot send it there.
        boolean possible =
                head.version() == HttpVersion.HTTP_1_1
                        || (head.version().isMultiplexed() && head.fields().contains("upgrade"));
        if (!possible || cycle.isCommitted()) {
            throw new IllegalStateException("this request cannot be upgraded");
        }
        T handler = app().runtime().create(handlerClass);
        cycle.upgrade(handler);
        return handler;
    }
}
