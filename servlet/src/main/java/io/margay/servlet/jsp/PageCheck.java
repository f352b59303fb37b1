package io.margay.servlet.jsp;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.jasper.EmbeddedServletOptions;
import org.apache.jasper.JasperException;
import org.apache.jasper.compiler.JspRuntimeContext;
import org.apache.jasper.servlet.JspServletWrapper;

/// Compiles the pages of an application that does not run, and says what is wrong with them. What
/// runs of the application is what the compiler asks: validators and extra information of its tag
/// libraries. Confined to one thread.
public final class PageCheck {
    /// Further ones are counted.
    private static final int REPORTED_MAX = 50;

    private static final Pattern INCLUDE =
            Pattern.compile(
                    "<(?:%@\\s*include|jsp:directive\\.include)"
                            + "\\s+file\\s*=\\s*[\"']([^\"']+)[\"']");

    /// As Jasper's compiler says it, once for each mistake.
    private static final Pattern COMPILED =
            Pattern.compile(
                    "An error occurred at line: \\[(\\d+)\\] in the (jsp|generated java)"
                            + " file: \\[([^\\]]*)\\]\\R([^\\r\\n]*)");

    /// As Jasper's parser says it.
    private static final Pattern PARSED =
            Pattern.compile("(\\S+) \\(line: \\[(\\d+)\\], column: \\[(\\d+)\\]\\) (.*)");

    private final JspSetup setup;
    private final ServletContext context;
    private final Set<String> pages;
    private final Map<String, List<String>> wrong = new TreeMap<>();

    /// @param context of an application that has not been started
    public PageCheck(JspSetup setup, ServletContext context) {
        this.setup = setup;
        this.context = withoutListeners(context);
        pages = JspInitializer.pages(context);
    }

    /// How many there are.
    public int pages() {
        return pages.size();
    }

    /// What is wrong with the pages, a line each. A page that others include need not compile by
    /// itself.
    public List<String> problems() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            compile();
            wrong.keySet().removeAll(wrong.isEmpty() ? Set.of() : included());
            return told(wrong.values().stream().flatMap(List::stream).toList());
        } catch (ServletException | IOException e) {
            return List.of("its pages cannot be read: " + e.getMessage());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /// Tag libraries may declare listeners, which would be made.
    private static ServletContext withoutListeners(ServletContext context) {
        return (ServletContext)
                Proxy.newProxyInstance(
                        PageCheck.class.getClassLoader(),
                        new Class<?>[] {ServletContext.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("addListener")) {
                                return null;
                            }
                            try {
                                return method.invoke(context, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private void compile() throws ServletException {
        new JspInitializer(setup, null, false).onStartup(null, context);
        JspConfiguration configuration = new JspConfiguration("check", context, setup.parameters());
        EmbeddedServletOptions options = new EmbeddedServletOptions(configuration, context);
        JspRuntimeContext runtime = new JspRuntimeContext(context, options);
        try {
            for (String page : pages) {
                JspServletWrapper wrapper =
                        new JspServletWrapper(configuration, options, page, runtime);
                runtime.addWrapper(page, wrapper);
                try {
                    wrapper.getJspEngineContext().compile();
                } catch (JasperException | IOException | RuntimeException | LinkageError e) {
                    wrong.put(page, lines(page, e));
                }
            }
        } finally {
            runtime.destroy();
        }
    }

    private static List<String> told(List<String> all) {
        if (all.size() <= REPORTED_MAX) {
            return all;
        }
        List<String> some = new ArrayList<>(all.subList(0, REPORTED_MAX));
        some.add("and " + (all.size() - REPORTED_MAX) + " more in its pages");
        return some;
    }

    /// Pages that are parts of others.
    private Set<String> included() throws IOException {
        Set<String> included = new TreeSet<>();
        for (String page : pages) {
            try (InputStream in = context.getResourceAsStream(page)) {
                String text =
                        in == null
                                ? ""
                                : new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                Matcher matcher = INCLUDE.matcher(text);
                while (matcher.find()) {
                    included.add(resolved(page, matcher.group(1)));
                }
            }
        }
        return included;
    }

    private static String resolved(String page, String file) {
        try {
            return URI.create(page).resolve(file).normalize().toString();
        } catch (IllegalArgumentException e) {
            return file; // No path that could be one of a page.
        }
    }

    private static List<String> lines(String page, Throwable e) {
        String message = plain(String.valueOf(e.getMessage()));
        List<String> lines = new ArrayList<>();
        Matcher compiled = COMPILED.matcher(message);
        while (compiled.find()) {
            boolean ofThePage = compiled.group(2).equals("jsp");
            lines.add(
                    (ofThePage ? compiled.group(3) + ":" + compiled.group(1) : page)
                            + ": "
                            + compiled.group(4));
        }
        if (lines.isEmpty()) {
            String first = message.lines().findFirst().orElse(e.toString());
            Matcher parsed = PARSED.matcher(first);
            lines.add(
                    parsed.matches()
                            ? parsed.replaceFirst("$1:$2:$3: $4")
                            : page + ": " + (e instanceof JasperException ? first : e.toString()));
        }
        return lines;
    }

    /// Jasper writes what it quotes for a page of HTML.
    private static String plain(String text) {
        return text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#039;", "'")
                .replace("&#034;", "\"")
                .replace("&amp;", "&");
    }
}
