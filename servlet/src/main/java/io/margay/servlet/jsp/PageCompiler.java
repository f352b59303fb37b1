package io.margay.servlet.jsp;

import io.margay.servlet.settings.PageClasses;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.jasper.JspCompilationContext;
import org.apache.jasper.compiler.JDTCompiler;
import org.apache.jasper.compiler.SmapStratum;
import org.apache.jasper.servlet.JspServletWrapper;

/// Compiles the pages and tag files of an application whose context has [PageClasses]. Jasper makes
/// one for each page, by its name. Confined to the thread that compiles.
public final class PageCompiler extends JDTCompiler {
    @Override
    public void init(JspCompilationContext context, JspServletWrapper page) {
        super.init(context, page);
        ClassLoader loader = context.getClassLoader();
        if (!(loader instanceof PageTypes)) { // A tag file has that of the page.
            context.setClassLoader(new PageTypes(loader, classes()));
        }
    }

    private PageClasses classes() {
        return (PageClasses) ctxt.getServletContext().getAttribute(PageClasses.class.getName());
    }

    @Override
    protected void generateClass(Map<String, SmapStratum> lines) throws Exception {
        super.generateClass(lines);
        Path compiled = Path.of(ctxt.getClassFileName());
        become(compiled);
        String name = compiled.getFileName().toString().replaceFirst("\\.class$", "");
        // The page's inner classes; none of these characters means anything in a pattern.
        try (DirectoryStream<Path> inner =
                Files.newDirectoryStream(compiled.getParent(), name + "$*.class")) {
            for (Path each : inner) {
                become(each);
            }
        }
    }

    private void become(Path file) throws IOException {
        Files.write(file, classes().compiled(Files.readAllBytes(file)));
    }
}
