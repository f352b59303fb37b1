package io.margay.servlet.jsp;

import io.margay.servlet.settings.LateAttribute;
import io.margay.servlet.settings.LibraryScan;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.lang.System.Logger.Level;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Logger;
import org.apache.jasper.compiler.TldCache;
import org.apache.jasper.servlet.JasperInitializer;
import org.apache.jasper.servlet.JspServlet;
import org.jspecify.annotations.Nullable;

/// Finds an application's tag libraries before anything else of it runs, and translates all pages
/// when asked to. Where no tag library can be, Jasper's parser of them, a tenth of a start, is made
/// for the first page. Confined to the deploying thread.
final class JspInitializer implements ServletContainerInitializer {
    private static final System.Logger LOG = System.getLogger(JspInitializer.class.getName());

    /// Jasper's own loggers that speak of what is so by design: schemas for a validation that is
    /// off, and libraries without tag libraries. Held here, for a logger that nobody holds forgets
    /// its level.
    private static final List<Logger> QUIET =
            List.of(
                    Logger.getLogger("org.apache.tomcat.util.descriptor.DigesterFactory"),
                    Logger.getLogger("org.apache.jasper.servlet.TldScanner"));

    /// Deeper folders are no page trees but loops.
    private static final int DEPTH_MAX = 64;

    private static final String ROOT = "/WEB-INF/";

    private final JspSetup setup;
    private final @Nullable LibraryScan scan;
    private final boolean precompile;

    /// @param scan which libraries are looked through; null = all on the class path
    JspInitializer(JspSetup setup, @Nullable LibraryScan scan, boolean precompile) {
        this.setup = setup;
        this.scan = scan;
        this.precompile = precompile;
    }

    @Override
    public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context)
            throws ServletException {
        for (Logger logger : QUIET) {
            if (logger.getLevel() == null) {
                logger.setLevel(java.util.logging.Level.SEVERE);
            }
        }
        JasperInitializer jasper = new JasperInitializer();
        if (mayHaveTagLibraries(context)) {
            jasper.onStartup(classes, context);
        } else {
            context.setAttribute(
                    TldCache.SERVLET_CONTEXT_ATTRIBUTE_NAME,
                    new LateAttribute(() -> new TldCache(context, Map.of(), Map.of())));
        }
        if (precompile) {
            pages(context).forEach(page -> translate(page, context));
        }
    }

    /// Wherever Jasper looks for them. Without reading a library: one that is there may have some.
    private boolean mayHaveTagLibraries(ServletContext context) {
        JspConfigDescriptor declared = context.getJspConfigDescriptor();
        return scan == null
                || (declared != null && !declared.getTaglibs().isEmpty())
                || context.getResourcePaths(ROOT + "lib/") != null
                || context.getResourcePaths(ROOT + "classes/META-INF/") != null
                || (scan.shared()
                        && context.getClassLoader().getParent() instanceof URLClassLoader shared
                        && shared.getURLs().length > 0)
                || hasDescriptor(context, ROOT, 0);
    }

    private static boolean hasDescriptor(ServletContext context, String folder, int depth) {
        Set<String> paths = context.getResourcePaths(folder);
        if (paths == null) {
            return false;
        }
        if (depth > DEPTH_MAX) {
            return true;
        }
        for (String path : paths) {
            boolean isFound =
                    path.endsWith("/")
                            ? !path.equals(ROOT + "classes/")
                                    && hasDescriptor(context, path, depth + 1)
                            : path.endsWith(".tld");
            if (isFound) {
                return true;
            }
        }
        return false;
    }

    /// The paths of all pages.
    static Set<String> pages(ServletContext context) {
        Set<String> pages = new TreeSet<>();
        collect(context, "/", pages, 0);
        return pages;
    }

    private static void collect(
            ServletContext context, String folder, Set<String> pages, int depth) {
        Set<String> paths = context.getResourcePaths(folder);
        if (paths == null || depth > DEPTH_MAX) {
            return;
        }
        for (String path : paths) {
            if (path.endsWith("/")) {
                collect(context, path, pages, depth + 1);
            } else if (path.endsWith(".jsp") || path.endsWith(".jspx")) {
                pages.add(path);
            }
        }
    }

    /// A servlet with the parameter `jspFile` translates that page when it is initialised; the
    /// result stays in the scratch folder. A page that cannot be translated fails when it is asked
    /// for, as it would without this.
    private void translate(String page, ServletContext context) {
        JspServlet servlet = new JspServlet();
        try {
            Map<String, String> parameters = setup.parameters();
            parameters.put("jspFile", page);
            servlet.init(new JspConfiguration("precompile " + page, context, parameters));
        } catch (ServletException | RuntimeException | LinkageError e) {
            LOG.log(Level.WARNING, "{0} cannot be translated: {1}", page, e.getMessage());
        } finally {
            servlet.destroy();
        }
    }
}
