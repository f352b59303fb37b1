package io.margay.servlet.files;

import io.margay.protocol.http.AcceptEncoding;
import io.margay.protocol.http.ByteRanges;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Preconditions;
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
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Serves the files of an application: whole, in ranges, or as variants that lie beside them
/// compressed. Reading only: it answers nothing but GET, HEAD, POST (as GET) and OPTIONS.
///
/// Stateless but for the resources; any thread may use it.
public final class DefaultServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String ALLOWED = "GET, HEAD, POST, OPTIONS";

    private final transient WebResources resources;
    private final transient KnownFiles files;

    /// A servlet for these files.
    public DefaultServlet(WebResources resources) {
        this.resources = resources;
        this.files = new KnownFiles(resources, System::nanoTime);
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
        KnownFile file = path.endsWith("/") ? null : files.find(path);
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
        if (path.endsWith("/") || included) {
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

    private static void notFound(String path, HttpServletResponse response, boolean included)
            throws IOException {
        if (included) {
            throw new FileNotFoundException(path);
        }
        response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }

    // Sending

    private void send(
            KnownFile file,
            HttpServletRequest request,
            HttpServletResponse response,
            boolean included)
            throws IOException {
        WebResource resource = file.resource();
        String type = getServletContext().getMimeType(resource.path());
        if (included) {
            new FileBody(resource).sendText(response, type);
            return;
        }
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            setType(response, type);
            new FileBody(resource).sendWhole(response);
            return;
        }
        KnownFile variant = variant(file, request, response);
        response.setHeader("ETag", variant.tagText());
        if (file.lastModified() != null) {
            response.setHeader("Last-Modified", file.lastModified());
        }
        response.setHeader("Accept-Ranges", "bytes");
        Fields fields = conditions(request);
        long known = file.modifiedSecond();
        switch (Preconditions.evaluate(request.getMethod(), fields, variant.tag(), known)) {
            case NOT_MODIFIED -> response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            case PRECONDITION_FAILED ->
                    response.sendError(HttpServletResponse.SC_PRECONDITION_FAILED);
            case PROCEED -> {
                setType(response, type);
                String range = fields.get("range");
                boolean ranged =
                        range != null
                                && request.getMethod().equals("GET")
                                && Preconditions.rangeApplies(fields, variant.tag(), known);
                sendBody(variant, ranged ? range : null, type, response);
            }
        }
    }

    private void sendBody(
            KnownFile file,
            @Nullable String range,
            @Nullable String type,
            HttpServletResponse response)
            throws IOException {
        if (file.coding() != null) {
            response.setHeader("Content-Encoding", file.coding());
        }
        FileBody body = new FileBody(file.resource());
        long total = file.resource().length();
        ByteRanges ranges = range == null ? null : ByteRanges.of(range, total);
        if (ranges == null || ranges.kind() == ByteRanges.Kind.WHOLE) {
            byte[] content = file.content();
            if (content == null || !body.sendContent(response, content)) {
                body.sendWhole(response);
            }
            return;
        }
        if (ranges.kind() == ByteRanges.Kind.UNSATISFIABLE) {
            response.setHeader("Content-Range", "bytes */" + total);
            response.sendError(HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE);
            return;
        }
        response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
        if (ranges.ranges().size() == 1) {
            ByteRanges.Range only = ranges.ranges().getFirst();
            response.setHeader("Content-Range", only.contentRange(total));
            body.sendRange(response, only.first(), only.length());
        } else {
            body.sendRanges(response, ranges.ranges(), type);
        }
    }

    private static void setType(HttpServletResponse response, @Nullable String type) {
        if (response.getContentType() == null && type != null) {
            response.setContentType(type);
        }
    }

    /// The variant that the client takes best; says in `Vary` that there is a choice.
    private static KnownFile variant(
            KnownFile file, HttpServletRequest request, HttpServletResponse response) {
        if (file.variants().isEmpty()) {
            return file;
        }
        response.addHeader("Vary", "Accept-Encoding");
        Fields accepted = copy(request, "accept-encoding");
        KnownFile best = file;
        int quality = 0;
        for (KnownFile candidate : file.variants()) {
            int wanted =
                    AcceptEncoding.quality(accepted, Objects.requireNonNull(candidate.coding()));
            if (wanted > quality) {
                best = candidate;
                quality = wanted;
            }
        }
        return best;
    }

    private static Fields conditions(HttpServletRequest request) {
        return copy(
                request,
                "if-match",
                "if-none-match",
                "if-modified-since",
                "if-unmodified-since",
                "if-range",
                "range");
    }

    private static Fields copy(HttpServletRequest request, String... names) {
        Fields.Builder builder = null;
        for (String name : names) {
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
