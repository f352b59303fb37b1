package io.margay.servlet.files;

import io.margay.protocol.http.ByteRanges;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import io.margay.server.files.FileCache;
import io.margay.server.files.FileCacheLimits;
import io.margay.server.files.FileEntry;
import io.margay.server.files.FileResponse;
import io.margay.server.files.StoredFile;
import io.margay.servlet.engine.registration.FastPathServlet;
import io.margay.servlet.resource.WebResource;
import io.margay.servlet.resource.WebResources;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Serves the files of an application: whole, in ranges, or as variants that lie beside them
/// compressed. Reading only: it answers nothing but GET, HEAD, POST (as GET) and OPTIONS.
///
/// A file that is in memory is answered before a thread is asked for ([FastPathServlet]).
///
/// Stateless but for the resources; any thread may use it.
public final class DefaultServlet extends HttpServlet implements FastPathServlet {
    private static final long serialVersionUID = 1L;
    private static final String ALLOWED = "GET, HEAD, POST, OPTIONS";
    private static final List<String> ASKING =
            List.of(
                    "accept-encoding",
                    "if-match",
                    "if-none-match",
                    "if-modified-since",
                    "if-unmodified-since",
                    "if-range",
                    "range");

    private final transient WebResources resources;
    private final transient FileCache files;

    /// Whether a folder without a welcome file is shown as a list of what it holds.
    private final boolean listings;

    /// A servlet for these files.
    ///
    /// @param listings whether a folder without a welcome file is shown as a list of what it holds
    public DefaultServlet(WebResources resources, boolean listings) {
        this.resources = resources;
        this.listings = listings;
        this.files =
                new FileCache(
                        path -> file(resources, path),
                        FileCacheLimits.defaults(),
                        true,
                        path -> getServletContext().getMimeType(path),
                        System::nanoTime);
    }

    private static @Nullable StoredFile file(WebResources resources, String path) {
        WebResource resource = resources.get(path);
        return resource == null || resource.isFolder() ? null : resource;
    }

    @Override
    public boolean answer(Exchange exchange, String path) throws IOException {
        FileEntry file = files.ready(path);
        if (file == null) {
            return false;
        }
        FileResponse answer =
                FileResponse.of(file, exchange.request().method(), exchange.request().fields());
        if (!answer.isReady()) {
            return false;
        }
        answer.send(exchange);
        return true;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean internal = request.getDispatcherType() != DispatcherType.REQUEST;
        switch (request.getMethod()) {
            case "GET", "HEAD", "POST" -> serve(request, response);
            case "OPTIONS" -> {
                response.setHeader("Allow", ALLOWED);
                response.setContentLength(0);
            }
            default -> {
                if (internal) {
                    serve(request, response);
                } else {
                    response.setHeader("Allow", ALLOWED);
                    response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
                }
            }
        }
    }

    // Finding

    private void serve(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean included =
                request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null
                        && request.getDispatcherType() == DispatcherType.INCLUDE;
        String path = path(request, included);
        if (isHidden(path) && !isInternal(request)) {
            notFound(path, response, included);
            return;
        }
        FileEntry file = path.endsWith("/") ? null : files.find(path);
        if (file != null) {
            send(file, request, response, included);
            return;
        }
        WebResource folder = resources.get(path);
        if (folder != null && folder.isFolder()) {
            serveFolder(path, request, response, included);
        } else {
            notFound(path, response, included);
        }
    }

    private static boolean isInternal(HttpServletRequest request) {
        DispatcherType type = request.getDispatcherType();
        return type == DispatcherType.FORWARD
                || type == DispatcherType.INCLUDE
                || type == DispatcherType.ERROR;
    }

    private static String path(HttpServletRequest request, boolean included) {
        Object servletPath = request.getServletPath();
        Object pathInfo = request.getPathInfo();
        if (included) {
            servletPath = request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
            pathInfo = request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO);
        }
        String path =
                (servletPath == null ? "" : servletPath) + (pathInfo == null ? "" : "" + pathInfo);
        return path.isEmpty() ? "/" : path;
    }

    /// Whether clients must not know of the path (Servlet 6.1 §10.5); compared without case, for
    /// file systems that do so too.
    static boolean isHidden(String path) {
        String upper = path.toUpperCase(Locale.ROOT);
        return isBelow(upper, "/WEB-INF") || isBelow(upper, "/META-INF");
    }

    private static boolean isBelow(String path, String folder) {
        return path.startsWith(folder)
                && (path.length() == folder.length() || path.charAt(folder.length()) == '/');
    }

    private void serveFolder(
            String path, HttpServletRequest request, HttpServletResponse response, boolean included)
            throws IOException {
        if (listings && path.endsWith("/") && !included) {
            list(path, request, response);
            return;
        }
        if (included) {
            return; // it exists, and has nothing to include; a redirect cannot be included
        }
        if (path.endsWith("/")) {
            notFound(path, response, included);
            return;
        }
        // The raw URI of a folder is the client's own text: two slashes at its start would make it
        // another host (CVE-2018-11784, CVE-2023-41080).
        String uri = request.getRequestURI();
        int slashes = 0;
        while (slashes < uri.length()
                && (uri.charAt(slashes) == '/' || uri.charAt(slashes) == '\\')) {
            slashes++;
        }
        String query = request.getQueryString();
        int semicolon = uri.indexOf(';');
        String plain = semicolon < 0 ? uri : uri.substring(0, semicolon);
        response.sendRedirect(
                "/"
                        + plain.substring(Math.min(slashes, plain.length()))
                        + "/"
                        + (query == null ? "" : "?" + query));
    }

    private void list(String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Set<String> names = resources.list(path);
        if (names == null) {
            notFound(path, response, false);
            return;
        }
        byte[] page = FolderListing.page(request.getContextPath(), path, names, resources);
        response.setContentType("text/html;charset=UTF-8");
        response.setContentLength(page.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(page);
        }
    }

    private static void notFound(String path, HttpServletResponse response, boolean included)
            throws IOException {
        if (included) {
            throw new FileNotFoundException(path);
        }
        response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }

    // Sending

    private static void send(
            FileEntry found,
            HttpServletRequest request,
            HttpServletResponse response,
            boolean included)
            throws IOException {
        if (included) {
            new FileBody(found.file()).sendText(response, found.type());
            return;
        }
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            setType(response, found.type());
            new FileBody(found.file()).sendWhole(response);
            return;
        }
        FileResponse answer = FileResponse.of(found, request.getMethod(), asked(request));
        answer.describe((name, value) -> {
            if (name.equals("Vary")) {
                response.addHeader(name, value);
            } else {
                response.setHeader(name, value);
            }
        });
        setType(response, answer.type());
        FileBody body = new FileBody(answer.file().file());
        byte[] content = answer.file().content();
        switch (answer.kind()) {
            case NOT_MODIFIED -> response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            case PRECONDITION_FAILED ->
                    response.sendError(HttpServletResponse.SC_PRECONDITION_FAILED);
            case UNSATISFIABLE ->
                    response.sendError(HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE);
            case WHOLE -> {
                if (content == null || !body.sendContent(response, content)) {
                    body.sendWhole(response);
                }
            }
            case PART -> {
                response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
                ByteRanges.Range range = answer.range();
                if (content == null) {
                    body.sendRange(response, range.first(), range.length());
                } else {
                    body.sendPart(response, content, (int) range.first(), (int) range.length());
                }
            }
            case PARTS -> {
                response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
                body.sendRanges(response, answer.ranges(), found.type());
            }
        }
    }

    private static void setType(HttpServletResponse response, @Nullable String type) {
        if (response.getContentType() == null && type != null) {
            response.setContentType(type);
        }
    }

    /// The fields that ask for a variant, a condition or a range, as the filters left them.
    private static Fields asked(HttpServletRequest request) {
        Fields.Builder builder = null;
        for (String name : ASKING) {
            if (request.getHeader(name) == null) {
                continue;
            }
            if (builder == null) {
                builder = new Fields.Builder();
            }
            Enumeration<String> values = request.getHeaders(name);
            while (values.hasMoreElements()) {
                builder.add(name, values.nextElement());
            }
        }
        return builder == null ? Fields.EMPTY : builder.build();
    }
}
