package io.margay.servlet.jsp;

import io.margay.server.files.DiskRoom;
import io.margay.server.files.NoRoomException;
import io.margay.server.steps.Steps;
import io.margay.server.steps.Steps.Kind;
import io.margay.server.steps.Steps.Step;
import io.margay.servlet.settings.PageClasses;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.jasper.JasperException;
import org.apache.jasper.JspCompilationContext;
import org.apache.jasper.compiler.JDTCompiler;
import org.apache.jasper.compiler.SmapStratum;
import org.apache.jasper.servlet.JspServletWrapper;
import org.jspecify.annotations.Nullable;

/// Compiles the pages and tag files of an application, those of an older API as [PageClasses] in
/// its context say. Jasper makes one for each page, by its name. Confined to the thread that
/// compiles.
///
/// Where the disk has no room, Jasper takes the page for one that is not there, or leaves half of
/// its class behind: that is asked before and afterwards, and nothing stays of such a page.
public final class PageCompiler extends JDTCompiler {
    @Override
    public void init(JspCompilationContext context, JspServletWrapper page) {
        super.init(context, page);
        ClassLoader loader = context.getClassLoader();
        PageClasses classes = classes();
        if (classes != null && !(loader instanceof PageTypes)) { // A tag file has the page's.
            context.setClassLoader(new PageTypes(loader, classes));
        }
    }

    @Override
    public void compile(boolean compileClass, boolean jspcMode) throws Exception {
        requireRoom();
        Step step = Steps.begin(Kind.PAGE, ctxt.getJspFile(), "");
        Exception failure = null;
        try {
            super.compile(compileClass, jspcMode);
        } catch (Exception e) {
            failure = DiskRoom.isCauseOf(e) ? noRoom() : MissingLibrary.named(e);
            throw failure;
        } finally {
            step.end(failure);
        }
        requireRoom();
    }

    private void requireRoom() throws JasperException {
        if (DiskRoom.isUsedUp(ctxt.getOptions().getScratchDir().toPath())) {
            throw noRoom();
        }
    }

    private JasperException noRoom() {
        removeGeneratedFiles();
        if (jsw != null) {
            jsw.setLastModificationTest(-1); // So that the next request compiles it.
        }
        String why = "there is no room on the disk for the compiled page";
        return new JasperException(why, new NoRoomException(503, why));
    }

    private @Nullable PageClasses classes() {
        return (PageClasses) ctxt.getServletContext().getAttribute(PageClasses.class.getName());
    }

    @Override
    protected void generateClass(Map<String, SmapStratum> lines) throws Exception {
        super.generateClass(lines);
        PageClasses classes = classes();
        if (classes == null) {
            return;
        }
        Path compiled = Path.of(ctxt.getClassFileName());
        become(compiled, classes);
        String name = compiled.getFileName().toString().replaceFirst("\\.class$", "");
        // The page's inner classes; none of these characters means anything in a pattern.
        try (DirectoryStream<Path> inner =
                Files.newDirectoryStream(compiled.getParent(), name + "$*.class")) {
            for (Path each : inner) {
                become(each, classes);
            }
        }
    }

    private static void become(Path file, PageClasses classes) throws IOException {
        Files.write(file, classes.compiled(Files.readAllBytes(file)));
    }
}
